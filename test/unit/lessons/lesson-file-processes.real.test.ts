import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileLessons } from '../../../src/lessons/file-lessons.js';
import { parseLine } from '../../../src/lessons/lesson-record.js';

const writers = 40;
const each = 5;
let folder = '';

const script = `
import { fileLessons } from './lesson-file.mjs';
const [path, writer] = process.argv.slice(2);
const store = fileLessons(path, { agentId: 'agent-' + writer });
await new Promise((done) => {
  process.stdin.once('data', done);
  process.stdout.write('ready');
});
for (let run = 0; run < ${each}; run += 1) {
  const gap = { id: 'g', severity: 'major', category: 'missing', description: 'writer ' + writer + ' ' + 'long words '.repeat(15), suggestedFix: 'mend it', estimatedEffort: 'small', autoFixable: true };
  const review = (iteration, quality, gaps, fixed) => ({ iteration, version: 'v', assessments: [], gaps, fixed, scores: { quality, completeness: 1, correctness: 1, overall: quality, judged: 1, total: 1 },
    decision: { kind: 'stop', status: 'stalled', reason: '', code: 'x' }, complete: true, usage: {}, durationMs: 1, at: '' });
  await store.capture({ task: 'login page', outcome: { runId: writer + '-' + run, reviews: [review(1, 0.5, [gap], []), review(2, 0.9, [], [gap])] } });
}
process.exit(0);
`;

/** A process that is loaded, waits for a byte, and then captures. */
function writer(path: string, name: number) {
  const child = spawn(process.execPath, [join(folder, 'writer.mjs'), path, `${name}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ready = new Promise<void>((done) => child.stdout.once('data', () => done()));
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return { ready, start: () => child.stdin.end('x'), kill: () => child.kill('SIGKILL'), ended };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lesson-writers-'));
  await build({
    entryPoints: [resolve('src/lessons/file-lessons.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: join(folder, 'lesson-file.mjs'),
    logLevel: 'silent',
  });
  await writeFile(join(folder, 'writer.mjs'), script);
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

describe('fileLessons with many processes', () => {
  it(`${writers} processes that capture at once lose nothing`, { timeout: 120_000 }, async () => {
    const path = join(folder, 'lessons.jsonl');
    const children = Array.from({ length: writers }, (_, name) => writer(path, name));
    await Promise.all(children.map((child) => child.ready));
    for (const child of children) child.start();
    expect(await Promise.all(children.map((child) => child.ended))).toEqual(children.map(() => 0));
    // a line that somebody is still writing can look torn to the next, who then puts an empty line between
    const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
    const records = lines.map(parseLine);
    const agents = records.map((record) =>
      'error' in record ? record.what : record.lesson.sourceAgent,
    );
    expect(agents.sort()).toEqual(
      Array.from(
        { length: writers * each },
        (_, index) => `agent-${Math.floor(index / each)}`,
      ).sort(),
    );
    const text = await fileLessons(path, { maxShown: 100, maxCharacters: 100_000 }).relevantTo(
      'login page',
    );
    expect(text.match(new RegExp(`\\(${each} runs\\)`, 'g'))).toHaveLength(writers);
  });

  it('processes that are killed while they capture leave a file that is read and written', {
    timeout: 120_000,
  }, async () => {
    const path = join(folder, 'killed.jsonl');
    const children = Array.from({ length: 10 }, (_, name) => writer(path, name));
    await Promise.all(children.map((child) => child.ready));
    for (const child of children) child.start();
    const [first] = children;
    await first?.ended;
    for (const child of children) child.kill();
    await Promise.all(children.map((child) => child.ended));
    const after = writer(path, 99);
    after.start();
    expect(await after.ended).toBe(0);
    const text = await fileLessons(path, { maxShown: 100, maxCharacters: 100_000 }).relevantTo(
      'login page',
    );
    expect(text).toMatch(new RegExp(`agent-99 [\\s\\S]*\\(${each} runs\\)`));
    expect(text).toContain('agent-0 ');
  });

  it('a disk that is full in the middle of a line loses that lesson only', {
    timeout: 60_000,
  }, async () => {
    const path = join(folder, 'full.jsonl');
    const limited = spawn(
      'sh',
      [
        '-c',
        `ulimit -f 4; exec "$0" "$@"`,
        process.execPath,
        join(folder, 'writer.mjs'),
        path,
        '1',
      ],
      { stdio: ['pipe', 'ignore', 'ignore'] },
    );
    limited.stdin.end('x');
    expect(await new Promise((done) => limited.once('close', done))).not.toBe(0);
    const kept = await readFile(path, 'utf8');
    expect(kept).not.toMatch(/\n$/);
    const after = writer(path, 2);
    after.start();
    expect(await after.ended).toBe(0);
    const text = await fileLessons(path).relevantTo('login page');
    expect(text).toContain(`agent-2 self-review pattern: missing (${each} runs)`);
    expect(text).toContain('agent-1 self-review pattern: missing');
    expect((await readFile(path, 'utf8')).startsWith(kept)).toBe(true);
  });
});
