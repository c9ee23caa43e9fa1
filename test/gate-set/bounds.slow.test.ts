import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunReport } from '@/reports/run-report.js';
import { runCli } from '../unit/cli/harness.js';
import { type Bound, bounds } from './bounds.js';

const rank = { MAY: 0, SHOULD: 1, MUST: 2 };

interface Read {
  readonly bound: Bound;
  readonly approved: boolean;
  readonly strengths: readonly string[];
}

const page = (body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title><meta name="viewport" content="width=device-width, initial-scale=1"></head><body><main><h1>Shop</h1>${body}</main></body></html>\n`;

/** Reviews a page that breaks a sentence as the only demand of a task. */
async function read(folder: string, bound: Bound, index: number): Promise<Read> {
  const cwd = join(folder, String(index));
  await mkdir(join(cwd, 'work'), { recursive: true });
  await writeFile(join(cwd, 'work/index.html'), page(bound.broken ?? '<p>We bake bread.</p>'));
  await writeFile(join(cwd, 'TASK.md'), `# Shop\n\n## Requirements\n\n- ${bound.sentence}\n`);
  const { out, err } = await runCli(cwd, [
    ...['review', 'work', '--task', 'TASK.md', '--format', 'json', '-q'],
  ]);
  if (out === '') throw new Error(`${bound.sentence}: ${err}`);
  const report = JSON.parse(out) as RunReport;
  const listed = await runCli(cwd, ['requirements', 'TASK.md', '--json']);
  return { bound, approved: report.approved, strengths: strengthsOf(listed.out) };
}

const strengthsOf = (json: string): string[] =>
  [...json.matchAll(/"(MUST|SHOULD|MAY)"/g)].map(([, word]) => word ?? '');

describe('sixty sentences with modal words, bounds and exceptions', () => {
  const seen: Read[] = [];
  let folder = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reviewloop-bounds-'));
    for (const [index, bound] of bounds.entries()) seen.push(await read(folder, bound, index));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('approves no page that breaks one of them [R3-001]', () => {
    const wrong = seen.filter(({ bound, approved }) => bound.broken !== undefined && approved);
    expect(wrong.map(({ bound }) => bound.sentence)).toEqual([]);
  });

  it('reads none of them as weaker than it is [R3-001]', () => {
    const weaker = seen.filter(({ bound, strengths }) =>
      strengths.some((strength) => rank[strength as keyof typeof rank] < rank[bound.strength]),
    );
    expect(weaker.map(({ bound, strengths }) => [bound.sentence, ...strengths])).toEqual([]);
  });

  it('prints how many it reads as labelled', () => {
    const same = seen.filter(({ bound, strengths }) => strengths.includes(bound.strength));
    console.log(`bounds: ${same.length} of ${seen.length} read with their strength`);
    expect(seen.every(({ strengths }) => strengths.length > 0)).toBe(true);
  });
});
