import {
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  GateSession,
  type GateSessionOptions,
  QualityGate,
  type QualityGateOptions,
} from '../../../src/quality-gate/index.js';
import { scriptedProvider } from '../../../src/testing/index.js';
import { gateFolder } from '../../support/gate-folder.js';

const quality_criteria = { Calm: 'Does no page shout?' };
const names = ['a', 'b', 'c', 'd', 'e', 'sub/f'].map((name) => `${name}.md`);
const image = 'image.png';

/** A gate whose reviewer reads every file that its prompt names. */
function reading(
  root: string,
  meanwhile: (read: readonly string[]) => void,
  more: QualityGateOptions = {},
) {
  const seen: { path: string; text: string }[] = [];
  const folders: string[] = [];
  const provider = scriptedProvider((request) => {
    const text = JSON.stringify(request.messages);
    const listed = [...text.matchAll(/- (\S+) {2}\(output: /g)].map(([, path = '']) => path);
    const binary = [...text.matchAll(/Read from: ([^\]]+)\]/g)].map(([, path = '']) => path);
    const paths = [...listed, ...binary];
    meanwhile(paths);
    for (const path of paths) seen.push({ path, text: readFileSync(resolve(root, path), 'utf8') });
    const passed = !seen.some(({ text: content }) => content.includes('LOUD'));
    return JSON.stringify({
      passed,
      feedback: `read ${paths[0]}`,
      criteria_results: [{ criterion: 'Calm', passed, feedback: `in ${paths[0]}` }],
    });
  });
  const gate = new QualityGate({
    root,
    cli: (_, folder) => {
      folders.push(folder);
      return provider;
    },
    ...more,
  });
  return { gate, seen, folders };
}

const session = (gate: QualityGate, more: Partial<GateSessionOptions> = {}) =>
  new GateSession({
    gate,
    job: {
      name: 'pages',
      steps: [
        {
          id: 'write',
          outputs: { pages: 'files' as const },
          reviews: [{ run_each: 'step', quality_criteria }],
        },
      ],
    },
    ...more,
  });

const folder = (text: string) =>
  gateFolder({ ...Object.fromEntries(names.map((name) => [name, text])), [image]: 'a\0b' });

it('a reviewer that reads files reads copies that nobody else is told of [R3-117]', async () => {
  const root = folder('quiet');
  const modes: number[] = [];
  const { gate, seen, folders } = reading(root, (paths) => {
    modes.push(...paths.map((path) => statSync(dirname(path)).mode & 0o077));
  });
  const outputs = { pages: [...names, `./${names[0]}`, join(root, image)] };
  const result = await session(gate, { verified: true }).finishedStep({ stepId: 'write', outputs });
  expect(result.status).toBe('workflow_complete');
  expect(seen).toHaveLength(8);
  for (const { path } of seen) expect(isAbsolute(path) && relative(root, path)).toMatch(/^\.\./);
  expect(modes).toContain(0);
  expect(statSync(root).isDirectory()).toBe(true);
  // the tool works where the copies are, and they are gone afterwards
  expect(seen.every(({ path }) => path.startsWith(folders[0] ?? '-'))).toBe(true);
  expect(existsSync(folders[0] ?? root)).toBe(false);
});

it('its words name the files, not the copies [R3-117]', async () => {
  const root = folder('LOUD');
  const report = await reading(root, () => {}).gate.review({
    reviews: [{ run_each: 'step', quality_criteria }],
    outputs: { pages: names },
  });
  expect(report).toMatchObject({
    outcome: 'needs_work',
    results: [{ feedback: 'read a.md', criteria_results: [{ feedback: 'in a.md' }] }],
  });
});

/** What an author does to a loud page while it is reviewed; in the end it is as it was. */
const there = (root: string): string => join(root, 'b.md');
const acts: Readonly<Record<string, (root: string, loud: string) => void>> = {
  'written and written back': (root, loud) => {
    writeFileSync(there(root), 'quiet');
    writeFileSync(there(root), loud);
  },
  'written back, with its old times': (root, loud) => {
    const { atime, mtime } = statSync(there(root));
    writeFileSync(there(root), 'quiet');
    writeFileSync(there(root), loud);
    utimesSync(there(root), atime, mtime);
  },
  'moved away, replaced and moved back': (root) => {
    renameSync(there(root), join(root, 'kept'));
    writeFileSync(there(root), 'quiet');
    renameSync(join(root, 'kept'), there(root));
  },
  'deleted and created again': (root, loud) => {
    rmSync(there(root));
    writeFileSync(there(root), loud);
  },
  'replaced by a link to the same text': (root, loud) => {
    writeFileSync(join(root, 'kept'), loud);
    rmSync(there(root));
    symlinkSync(join(root, 'kept'), there(root));
  },
};

describe.each(Object.entries(acts))('a file that was %s during its review', (_, act) => {
  it.each([
    ['named only', {}],
    ['inlined', { maxInlineFiles: 9 }],
    ['above the budget', { maxInlineFiles: 9, maxInlineBytes: 3 }],
  ])('has no verdict, and its reviewer read what was there (%s) [R3-117]', async (_how, more) => {
    const root = folder('quiet');
    const { gate, seen } = reading(root, () => act(root, 'quiet'), more);
    const one = session(gate, { verified: true });
    const result = await one.finishedStep({ stepId: 'write', outputs: { pages: names } });
    expect(result).toMatchObject({
      status: 'needs_work',
      review_errors: 1,
      error: 'files_changed',
    });
    expect((await one.reviewStatus()).steps['write']?.verdicts).toEqual([]);
    expect(seen.every(({ text }) => text === 'quiet')).toBe(true);
    const direct = reading(root, () => act(root, 'quiet'), more).gate;
    await expect(
      direct.evaluate({ qualityCriteria: quality_criteria, outputs: { pages: names } }),
    ).rejects.toMatchObject({ code: 'gate_files_changed' });
  });
});

it('a page that is quiet during its review only is not approved [R3-117]', async () => {
  const root = folder('LOUD');
  const { gate, seen } = reading(root, () => writeFileSync(there(root), 'quiet'));
  const one = session(gate, { verified: true });
  await one.finishedStep({ stepId: 'write', outputs: { pages: names } });
  expect(seen.every(({ text }) => text === 'LOUD')).toBe(true);
  expect((await one.reviewStatus()).steps['write']).toMatchObject({ status: 'needs_work' });
});

it('a reviewer that writes to its copies has no verdict [R3-117]', async () => {
  const root = folder('LOUD');
  const { gate } = reading(root, (paths) => {
    for (const path of paths) writeFileSync(path, 'quiet');
  });
  const result = await session(gate).finishedStep({ stepId: 'write', outputs: { pages: names } });
  expect(result).toMatchObject({ status: 'needs_work', error: 'files_changed' });
  expect(readFileSync(there(root), 'utf8')).toBe('LOUD');
});

it('files outside of the root have copies too, if they may be there', async () => {
  const [root, other] = [folder('quiet'), gateFolder({ 'a.md': 'far' })];
  const { gate, seen } = reading(root, () => {}, { allowOutside: true, maxInlineFiles: 0 });
  const pages = ['a.md', join(other, 'a.md')];
  await session(gate).finishedStep({ stepId: 'write', outputs: { pages } });
  expect(seen.map(({ text }) => text)).toEqual(['quiet', 'far']);
});
