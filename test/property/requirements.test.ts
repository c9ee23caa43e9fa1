import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  explicitRequirementsNow,
  loadReader,
} from '@/blocks/requirements/explicit-requirements.js';
import { matchRequirement } from '@/blocks/requirements/match.js';
import { RequirementSchema } from '@/blocks/requirements/requirement.js';
import { anywhere, markdown as pieces } from '../growth/pieces.js';
import { describeCorpora } from '../support/corpora.js';

const piece = fc.constantFrom(...anywhere, ...pieces);
const markdown = fc
  .array(fc.oneof({ weight: 4, arbitrary: piece }, fc.string({ unit: 'binary', maxLength: 8 })), {
    maxLength: 60,
  })
  .map((parts) => parts.join(''));

await loadReader('Feature: any');

/** Every requirement is valid, in order, and stands in the lines that it names; reading again finds the same. */
function check(text: string): void {
  const found = explicitRequirementsNow(text);
  expect(explicitRequirementsNow(text)).toEqual(found);
  expect(found.map(({ line }) => line)).toEqual(
    found.map(({ line }) => line).sort((a, b) => a - b),
  );
  const lines = text.split(/\r\n|\n|\r/);
  for (const requirement of found) {
    expect(RequirementSchema.safeParse(requirement).success).toBe(true);
    const [first = ''] = requirement.text.split(/\s+/);
    const last = lines[requirement.endLine - 1];
    expect(lines[requirement.line - 1]).toContain(first.replace(/\.\.\.$/, ''));
    expect(last).toBeDefined();
    expect(requirement.endLine).toBeGreaterThanOrEqual(requirement.line);
  }
}

/** Matching never fails, and what it quotes is in the text. */
function checkMatch(requirement: string, text: string): void {
  const match = matchRequirement(requirement, [{ text }]);
  expect(match.confidence).toBeGreaterThanOrEqual(0);
  expect(match.confidence).toBeLessThanOrEqual(1);
  if (match.evidence !== undefined) expect(text).toContain(match.evidence);
  if (match.line !== undefined) expect(match.line).toBeLessThanOrEqual(text.split('\n').length);
}

describe('requirements of any text', () => {
  it('extraction never throws, and each line number points at its first word [SR-140]', () => {
    fc.assert(fc.property(markdown, check), { numRuns: 200 });
  });

  it('matching never throws, and quotes the text [SR-141]', () => {
    fc.assert(fc.property(markdown, markdown, checkMatch), { numRuns: 200 });
  });

  it('a text covers itself, where it holds words at all [SR-141]', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { confidence, found } = matchRequirement(text, [{ text }]);
        expect(confidence).toBe(found.length === 0 ? 0 : 1);
      }),
    );
  });
});

describeCorpora('requirements of hostile texts', (folder) => {
  const hostile = join(folder, 'hostile-text');
  const texts = [
    ...z.array(z.string()).parse(JSON.parse(readFileSync(join(hostile, 'blns.json'), 'utf8'))),
    ...Object.values(
      z
        .record(z.string(), z.array(z.string()))
        .parse(JSON.parse(readFileSync(join(hostile, 'ansi-escape.json'), 'utf8'))),
    ).flat(),
    readFileSync(join(hostile, 'utf8tests.bin'), 'utf8'),
    readFileSync(join(hostile, 'utf8tests.bin'), 'latin1'),
  ];

  it('reads each of them', () => {
    check(texts.join('\n- '));
    for (const text of texts) {
      for (const form of [text, `- ${text}`, `The page must ${text}.`]) check(form);
      checkMatch(text, text);
    }
  });
});
