import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CriterionResult } from '@/core/criterion.js';
import { proseOf } from '@/criteria/spelling/all-prose.js';
import { type SpellingOptions, spellingCriteria } from '@/criteria/spelling/spelling-criteria.js';
import { errorWith } from '../../../support/matchers.js';
import { foreignTexts, misspeltSentences, rightTexts } from '../../../support/spelling-cases.js';
import { context } from '../support.js';

const usual = await spellingCriteria();

async function judge(
  content: string,
  path = 'a.md',
  options?: SpellingOptions,
): Promise<CriterionResult> {
  const [criterion] = options === undefined ? usual : await spellingCriteria(options);
  if (criterion === undefined) throw new Error('no criterion');
  const output = { artifacts: [{ type: 'document', path, content }] };
  return criterion.validate(output, undefined, context);
}

async function wordsIn(...given: Parameters<typeof judge>): Promise<string[]> {
  const { findings = [], skipped } = await judge(...given);
  expect(skipped).toBeUndefined();
  return findings.map(({ description }) => /"([^"]+)"/.exec(description)?.[1] ?? description);
}

describe('spellingCriteria', () => {
  it('finds misspelt words, with the right ones [R2-095]', async () => {
    const missed: string[] = [];
    for (const [sentence, wrong, right] of misspeltSentences) {
      const { findings = [] } = await judge(sentence);
      if (findings.length === 0) missed.push(wrong);
      else
        expect(findings).toMatchObject([
          {
            file: 'a.md',
            line: 1,
            evidence: sentence,
            description: expect.stringContaining(`"${wrong}"`),
            suggestedFix: expect.stringContaining(`"${right}"`),
          },
        ]);
    }
    // the first is a word, too; the second is short and in no list of common misspellings
    expect(missed).toEqual(['calender', 'wather']);
  });

  it.each(rightTexts)('finds nothing in %s: %s', async (path, text) => {
    expect(await wordsIn(text, path)).toEqual([]);
  });

  it('a misspelt word is a remark, told once for a file with all its lines', async () => {
    expect(await judge('We recieve it.\n\nYou Recieve it.\n\nThey recieve it.')).toMatchObject({
      passed: true,
      score: 1,
      details: '1 misspelt word in 1 text',
      findings: [
        {
          line: 1,
          description: '"recieve" is misspelt, also in line 3, 5',
          suggestedFix: 'Write "receive"',
        },
      ],
    });
    expect(usual[0]).toMatchObject({ id: 'spelling', severity: 'minor' });
  });

  it('names the lines of pages, also in attributes and between character references', async () => {
    const page =
      '<!doctype html>\n<html lang="en-GB">\n<p>Caf&eacute; &amp; recieve</p>\n<img src="a.png" alt="A seperate room">';
    const { findings } = await judge(page, 'a.html');
    expect(findings).toMatchObject([
      { line: 3, description: '"recieve" is misspelt' },
      { line: 4, description: '"seperate" is misspelt' },
    ]);
  });

  it.each(foreignTexts)('does not judge another language: %s', async (text) => {
    expect(await judge(text)).toMatchObject({
      passed: false,
      skipped: 'not checked: a.md seems to be in another language',
    });
  });

  it('tells the passages and the parts of pages in another language', async () => {
    const [german = ''] = foreignTexts;
    const mixed = `We recieve it every day.\n\nThe next passage is a quote of somebody:\n\n${german}\n\nWe read it with care, and every word of this passage is a known one.\n`;
    expect(await judge(mixed)).toMatchObject({
      details: '1 misspelt word in 1 text; not checked: a.md: 1 passage in another language',
      findings: [{ line: 1 }],
    });
    expect(await judge(`<p>Good day.<p lang="de">${german}</p>`, 'a.html')).toMatchObject({
      skipped: 'not checked: a.html: text in the language de',
    });
    expect(await judge(`<html lang="de"><p>${german}</html>`, 'a.html')).toMatchObject({
      skipped: 'not checked: a.html: text in the language de',
    });
  });

  it('an unknown word that resembles none is counted, not reported', async () => {
    expect(await judge('Every qwxzkvj is kept in a box.')).toMatchObject({
      passed: true,
      details: '0 misspelt words in 1 text; 1 unknown word not judged',
    });
  });

  it('a word that code or an address of the file also uses is one of its own', async () => {
    expect(await wordsIn('All encodingds are listed.')).toEqual(['encodingds']);
    expect(await wordsIn('All encodingds are listed, see `encodingds()`.')).toEqual([]);
    expect(await wordsIn('All [encodingds](https://example.org/encodingds).')).toEqual([]);
    // a common misspelling stays one
    expect(await wordsIn('We recieve it by `recieve()`.')).toEqual(['recieve']);
  });

  it('takes words that are right and words that are wrong, and its version names them', async () => {
    const text = 'We recieve an utmost of leverage.';
    expect(await wordsIn(text, 'a.md', { words: ['Recieve'] })).toEqual([]);
    expect(await wordsIn(text, 'a.md', { wrongWords: ['Leverage'] })).toEqual([
      'recieve',
      'leverage',
    ]);
    const [own] = await spellingCriteria({ words: ['recieve'] });
    expect(own?.version).not.toBe(usual[0]?.version);
    const [same] = await spellingCriteria({ words: [] });
    expect(same?.version).toBe(usual[0]?.version);
  });

  it('a variant of English has its own spelling', async () => {
    expect(await wordsIn('The colour is grey.', 'a.md', { language: 'en-US' })).toEqual(['colour']);
    expect(await wordsIn('We organise the colour.', 'a.md', { language: 'en-GB' })).toEqual([]);
  });

  it('refuses wrong options', async () => {
    await expect(spellingCriteria({ language: 'de' as never })).rejects.toThrow('language');
    await expect(spellingCriteria({ words: ['1'] })).rejects.toThrow('words');
    await expect(spellingCriteria({ wrongWords: 'a' as never })).rejects.toThrow('wrongWords');
    await expect(spellingCriteria({ maxFindings: 0 })).rejects.toThrow('maxFindings');
    await expect(spellingCriteria({ settings: 'a' } as never)).rejects.toThrow('settings');
  });

  it('lists as many words as asked, and tells how many more there are', async () => {
    const text = misspeltSentences.map(([sentence]) => sentence).join('\n\n');
    const { findings, details } = await judge(text, 'a.md', { maxFindings: 5 });
    expect(findings).toHaveLength(5);
    expect(details).toMatch(/^38 misspelt words in 1 text; 33 of them are not listed/);
  });

  it.each([
    '<!-- cspell:disable -->\nWe recieve it.',
    '<!-- spell-checker: disable -->\nWe recieve it.',
    'cspell:ignore recieve\n\nWe recieve it.',
    '<!-- cSpell:words recieve -->\nWe recieve it.',
    '<!-- cspell:locale de -->\nWe recieve it. <!-- cspell:disable-line -->',
  ])('a comment switches nothing off: %s', async (text) => {
    expect(await wordsIn(text)).toContain('recieve');
  });

  it('reads no other file, and judges no code and no empty text', async () => {
    expect(await judge('const recieve = 1;', 'a.js')).toMatchObject({
      skipped: 'no text with words was found',
    });
    expect(await judge('`code`', 'a.md')).toMatchObject({
      skipped: 'no text with words was found',
    });
    expect(await judge('a '.repeat(1_000_001), 'a.md')).toMatchObject({
      skipped: 'not checked: a.md is longer than 2000000 characters',
    });
    expect(await judge('<div>'.repeat(2000), 'a.html')).toMatchObject({
      skipped: expect.stringContaining('more than 1000 levels'),
    });
  });

  it('looks up a bounded number of unknown words, and tells the rest', async () => {
    const letters = 'bcdfghjklmnprstvz';
    const words = Array.from({ length: 700 }, (_, index) => {
      const [a = 0, b = 0, c = 0] = [
        index % 17,
        Math.floor(index / 17) % 17,
        Math.floor(index / 289),
      ];
      return `qx${letters[a]}${letters[b]}${letters[c]}wq is a word that we know well.`;
    });
    expect(await judge(words.join(' '))).toMatchObject({
      skipped: 'not checked: a.md: 200 of too many unknown words',
    });
  });

  it('keeps every place of hostile texts, and quotes only what is there', async () => {
    const piece = fc.oneof(
      fc.constantFrom(...['`', '``', '](', ')', '[', '<', '>', '&', ';', '{{', "'", '’']),
      fc.constantFrom('---\n', '\n\n'),
      fc.constantFrom('recieve ', ' teh', 'A', '|', '\u2028', '\r', '\ud800', 'e\u0301', '登录'),
      fc.string({ maxLength: 8 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')),
        fc.constantFrom('a.md', 'a.txt', 'a.html'),
        async (content, path) => {
          const output = { artifacts: [{ type: 'document', path, content }] };
          const { texts } = await proseOf(output, 'en');
          for (const { text } of texts) expect(text).toHaveLength(content.length);
          const { findings = [] } = await judge(content, path);
          for (const { evidence = '' } of findings) expect(content).toContain(evidence);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('runs and reads no settings of the project', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'spelling-'));
    const before = process.cwd();
    try {
      const trap = 'globalThis.spellingConfigRan = true;\n';
      await writeFile(join(folder, 'cspell.config.cjs'), `${trap}module.exports = {};`);
      await writeFile(
        join(folder, 'cspell.json'),
        '{ "words": ["recieve"], "import": ["./cspell.config.cjs"] }',
      );
      const shadow = join(folder, 'node_modules/@cspell/dict-en_us');
      await mkdir(shadow, { recursive: true });
      await writeFile(join(shadow, 'package.json'), '{ "name": "x", "main": "./a.cjs" }');
      await writeFile(join(shadow, 'a.cjs'), trap);
      process.chdir(folder);
      expect(await wordsIn('We recieve it.', join(folder, 'a.md'), {})).toEqual(['recieve']);
      expect(Reflect.get(globalThis, 'spellingConfigRan')).toBeUndefined();
    } finally {
      process.chdir(before);
      await rm(folder, { recursive: true });
    }
  });
});

describe('without its packages', () => {
  afterEach(() => {
    vi.doUnmock('cspell-trie-lib');
    vi.resetModules();
  });

  it('names the command that installs them, before any work', async () => {
    vi.resetModules();
    vi.doMock('cspell-trie-lib', () => {
      throw Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' });
    });
    const { spellingCriteria: factory } = await import('@/criteria/spelling/spelling-criteria.js');
    await expect(factory()).rejects.toMatchObject(
      errorWith(
        'peer_missing',
        'npm install cspell-trie-lib @cspell/dict-en_us @cspell/dict-en-gb-mit @cspell/dict-en-common-misspellings @cspell/dict-software-terms',
      ),
    );
  });
});
