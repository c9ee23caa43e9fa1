import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { fileLessons } from '@/adapters/stores/file/file-lessons.js';
import { parseLine } from '@/blocks/lessons/lesson-book.js';
import { silentLogger } from '@/ports/logger.js';
import { describeCorpora } from '../../../support/corpora.js';
import { withCode } from '../../../support/matchers.js';
import { fileFolder } from '../../../support/temp-folder.js';
import {
  anyGap,
  gap,
  improvedRun,
  outcomeOf,
  review,
} from '../../blocks/lessons/lesson-support.js';

const folder = fileFolder('lessons');
let next = 0;

const fresh = (): string => join(folder, `${++next}`, 'lessons.jsonl');

/** A file with two lessons. */
async function filled(): Promise<string> {
  const path = fresh();
  await fileLessons(path).capture?.(improvedRun('login page', 'no label'));
  await fileLessons(path).capture?.(improvedRun('login page', 'uneven', { category: 'quality' }));
  return path;
}

function listening() {
  const warnings: object[] = [];
  return {
    warnings,
    logger: { ...silentLogger, warn: (fields: object) => void warnings.push(fields) },
  };
}

describe('fileLessons', () => {
  it('what one store captured another one tells; one line for each run, for its owner only [SR-07]', async () => {
    const path = await filled();
    expect(await fileLessons(path).relevantTo('the login')).toMatch(/uneven[\s\S]*no label/);
    expect((await readFile(path, 'utf8')).trimEnd().split('\n')).toHaveLength(2);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('a store that is open sees what others append', async () => {
    const path = fresh();
    const reader = fileLessons(path);
    expect(await reader.relevantTo('login')).toBe('');
    await fileLessons(path).capture?.(improvedRun('login', 'one'));
    expect(await reader.relevantTo('login')).toContain('one');
    await fileLessons(path).capture?.(improvedRun('login', 'two', { category: 'quality' }));
    expect(await reader.relevantTo('login')).toContain('two');
  });

  it('a store that is open notices that the file was replaced, cut or removed', async () => {
    const path = await filled();
    const whole = await readFile(path, 'utf8');
    const [first = ''] = whole.split('\n');
    const store = fileLessons(path);
    expect(await store.relevantTo('login')).toMatch(/uneven[\s\S]*no label/);
    await writeFile(path, `${first}\n`);
    expect(await store.relevantTo('login')).not.toContain('uneven');
    await writeFile(path, `${'\n'.repeat(9)}${whole}`);
    expect(await store.relevantTo('login')).toContain('uneven');
    await rm(path);
    expect(await store.relevantTo('login')).toBe('');
    await Promise.all([
      store.capture?.(improvedRun('login', 'one')),
      store.capture?.(improvedRun('login', 'two', { category: 'quality' })),
    ]);
    expect((await Promise.all([store.relevantTo('login'), store.relevantTo('login')]))[1]).toMatch(
      /^- pipeline self-review pattern: \w+: /,
    );
  });

  it('a run that teaches nothing makes no file', async () => {
    const path = fresh();
    await fileLessons(path).capture?.({ task: 'login', outcome: outcomeOf([review(1, 1, [])]) });
    expect(existsSync(path)).toBe(false);
  });

  it('a torn last line is ignored, and the next lesson does not run into it', async () => {
    for (const length of [1, 40, 200]) {
      const path = await filled();
      const whole = await readFile(path);
      await appendFile(path, whole.subarray(0, length));
      const { logger, warnings } = listening();
      const store = fileLessons(path, { logger });
      expect(await store.relevantTo('login')).toContain('no label');
      await store.capture?.(improvedRun('login page', 'third', { category: 'incorrect' }));
      expect(await store.relevantTo('login')).toMatch(/third[\s\S]*uneven[\s\S]*no label/);
      expect((await readFile(path)).subarray(0, whole.length)).toEqual(whole);
      expect(warnings).toEqual([]);
    }
  });

  type Damage = (text: string) => string;
  const cut: Damage = (text) => text.replace(/.{20}\n/, '\n');
  const nul: Damage = (text) => `${'\0'.repeat(10)}\n${text}`;
  it.each<[string, Damage, string, RegExp]>([
    [
      'a flipped byte',
      (text) => text.replace('label', 'lapel'),
      'journal_corrupt',
      /line 1 .* was changed/,
    ],
    ['a cut line', cut, 'journal_corrupt', /line 1 .* is not JSON/],
    ['other data', (text) => `${text}{"a":1}\n`, 'journal_corrupt', /line 3 .* is not a lesson/],
    ['a newer format', (text) => `${text}{"v":2}\n`, 'journal_newer', /line 3 .* newer version/],
    ['NUL bytes', nul, 'journal_corrupt', /line 1 .* is not JSON/],
  ])(
    '%s is a typed error that names the line; the file stays as it is, and runs go on without lessons',
    async (_, damage, code, message) => {
      const path = await filled();
      await writeFile(path, damage(await readFile(path, 'utf8')));
      const before = await readFile(path);
      const { logger, warnings } = listening();
      const store = fileLessons(path, { logger });
      expect(await store.relevantTo('login')).toBe('');
      expect(warnings).toEqual([{ path, error: expect.stringMatching(message) }]);
      await expect(store.capture?.(improvedRun('login', 'x'))).rejects.toMatchObject({
        name: 'ReviewLoopError',
        code,
        message: expect.stringMatching(message),
      });
      expect(await readFile(path)).toEqual(before);
    },
  );

  it('a folder, a device and a path below a file are typed errors', async () => {
    const path = await filled();
    const aFolder = join(folder, `${++next}`);
    await mkdir(aFolder);
    const full = join(folder, 'full');
    await symlink('/dev/full', full);
    for (const bad of [aFolder, full, join(path, 'below')]) {
      expect(await fileLessons(bad).relevantTo('login')).toBe('');
      await expect(fileLessons(bad).capture?.(improvedRun('login', 'x'))).rejects.toMatchObject({
        name: 'ReviewLoopError',
      });
    }
  });

  it('no line is longer than one atomic write, whatever was captured, and each is read again', async () => {
    const path = fresh();
    const { logger, warnings } = listening();
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyGap, { minLength: 1, maxLength: 30 }),
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.constantFrom('poet', '\u{10ffff}'.repeat(90), '"\\'.repeat(90)),
        async (gaps, task, agentId) => {
          const store = fileLessons(path, { agentId, logger, maxLessons: 5 });
          await store.capture?.({
            task,
            outcome: outcomeOf([review(1, 0.2, gaps), review(2, 0.9, [], gaps)]),
          });
          const last = (await readFile(path)).toString('latin1').split('\n').at(-2) ?? '';
          expect(last.length).toBeLessThanOrEqual(4094);
          expect(last.startsWith('{"v":1')).toBe(true);
          await store.relevantTo(task);
        },
      ),
      { numRuns: 60 },
    );
    expect(warnings).toEqual([]);
  });

  it('of a long file the last 4 MiB are read', async () => {
    const path = await filled();
    const [first = ''] = (await readFile(path, 'utf8')).split('\n');
    await fileLessons(path).capture?.(
      improvedRun('password form', 'weak', { category: 'incorrect' }),
    );
    const third = (await readFile(path, 'utf8')).split('\n')[2] ?? '';
    await writeFile(path, `no lesson\n${first}\n${'\n'.repeat(4 * 1024 * 1024)}${third}\n`);
    const store = fileLessons(path);
    expect(await store.relevantTo('password form')).toContain('weak');
    expect(await store.relevantTo('login page')).toBe('');
  });

  it('no secret reaches the file, wherever it was planted', async () => {
    const path = fresh();
    const planted = [
      `ghp_${'a1B2c3'.repeat(6)}`,
      `AKIA${'ABCDEFGH'.repeat(2)}`,
      'postgres://admin:hunter2secret@db',
      'password = "c0rrect horse"',
      `eyJhbGciOiJIUzI1NiJ9.${'a1B2'.repeat(6)}.x1`,
    ];
    for (const secret of planted) {
      const found = gap({
        description: `found ${secret} here`,
        suggestedFix: `remove ${secret}`,
        evidence: secret,
        location: { file: secret },
      });
      const long = gap({
        description: `${'x '.repeat(90)}${secret}${' y'.repeat(200)}`,
        suggestedFix: secret,
        severity: 'critical',
      });
      const outcome = {
        ...outcomeOf([review(1, 0.2, [found, long]), review(2, 0.9, [], [found, long])], secret),
        reason: secret,
        output: secret,
      };
      await fileLessons(path, { agentId: `agent ${secret}` }).capture?.({
        task: { description: `Use ${secret}`, [secret]: 1 },
        outcome,
      });
    }
    const text = await readFile(path, 'utf8');
    expect(text.split('\n')).toHaveLength(planted.length + 1);
    for (const leak of [
      'ghp_',
      'a1b2c3',
      'AKIA',
      'ABCDEFGH',
      'hunter2',
      'horse',
      'correct',
      'eyJ',
      'a1B2',
    ])
      expect(text.toLowerCase()).not.toContain(leak.toLowerCase());
    expect(text).toContain('[REDACTED:github]');
  });

  it.each<[string, object]>([
    ['', {}],
    ['x', { loger: silentLogger }],
  ])('refuses the path %j with the options %j', (path, options) => {
    expect(() => fileLessons(path, options)).toThrow(withCode('invalid_options'));
  });
});

describeCorpora('anything as a file of lessons', (corpora) => {
  it('is a typed error or nothing at all, and the file stays as it is', {
    timeout: 30_000,
  }, async () => {
    const names = (
      await readdir(join(corpora, 'json-parsing'), { recursive: true, withFileTypes: true })
    ).filter((entry) => entry.isFile());
    expect(names.length).toBeGreaterThan(100);
    const path = join(folder, 'any.jsonl');
    for (const entry of names) {
      const content = await readFile(join(entry.parentPath, entry.name));
      const ended = Buffer.concat([content, Buffer.from('\n')]);
      await writeFile(path, ended);
      const store = fileLessons(path);
      expect(await store.relevantTo('login')).toBe('');
      const error: unknown = await store
        .capture?.(improvedRun('login', 'x'))
        .catch((thrown: unknown) => thrown);
      if (error === undefined) expect(content.toString().trim(), entry.name).toBe('');
      else {
        expect(error, entry.name).toMatchObject({
          name: 'ReviewLoopError',
          code: 'journal_corrupt',
        });
        expect(await readFile(path)).toEqual(ended);
      }
    }
  });
});

describe('fileLessons with many processes', () => {
  const [writers, each] = [16, 5];
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

  /** Every lesson of a file. */
  const all = (path: string) =>
    fileLessons(path, { maxShown: 100, maxCharacters: 100_000 }).relevantTo('login page');

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
    const entryPoints = [resolve('src/adapters/stores/file/file-lessons.ts')];
    const outfile = join(folder, 'lesson-file.mjs');
    const node = { bundle: true, platform: 'node', format: 'esm', logLevel: 'silent' } as const;
    await build({ entryPoints, outfile, ...node });
    await writeFile(join(folder, 'writer.mjs'), script);
  });

  it(`${writers} processes that capture at once lose nothing`, async () => {
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
    const names = Array.from(
      { length: writers * each },
      (_, at) => `agent-${Math.floor(at / each)}`,
    );
    expect(agents.sort()).toEqual(names.sort());
    const text = await all(path);
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
    const text = await all(path);
    expect(text).toMatch(new RegExp(`agent-99 [\\s\\S]*\\(${each} runs\\)`));
    expect(text).toContain('agent-0 ');
  });

  it('a disk that is full in the middle of a line loses that lesson only', {
    timeout: 60_000,
  }, async () => {
    const path = join(folder, 'full.jsonl');
    const command = [process.execPath, join(folder, 'writer.mjs'), path, '1'];
    const limited = spawn('sh', ['-c', `ulimit -f 4; exec "$0" "$@"`, ...command], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
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
