import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { root } from '../architecture/repository.js';

const runs = 20_000;

/** Makes many runs with listeners of their own and one signal; prints what is left of them. */
const program = `
import { getEventListeners } from 'node:events';
import { definePipeline } from './src/index.ts';
const pipeline = definePipeline({ produce: () => 'x', criteria: { a: () => true } });
const { signal } = new AbortController();
let collected = 0;
const registry = new FinalizationRegistry(() => { collected += 1; });
let heard = 0;
const one = async () => {
  const on = { 'run-end': () => { heard += 1; } };
  registry.register(on, undefined);
  const remove = pipeline.on('run-start', () => { heard += 1; });
  await pipeline.run('task', { on, signal });
  remove();
};
for (let run = 0; run < ${runs}; run += 1) await one();
for (let stream = 0; stream < 100; stream += 1)
  for await (const event of pipeline.stream('task', { signal })) if (stream % 2) break;
const asking = definePipeline({ produce: () => 'x', criteria: { a: () => true }, human: { policy: 'require' } });
for (let stream = 0; stream < 100; stream += 1) {
  const { requests } = await asking.run('task', { signal });
  for await (const event of asking.streamAnswer(requests[0], { kind: 'approve', by: 'a' }, { signal })) if (stream % 2) break;
}
for (let turn = 0; turn < 5; turn += 1) {
  globalThis.gc();
  await new Promise((resolve) => setTimeout(resolve, 10));
}
console.log(JSON.stringify({ heard, left: ${runs} - collected, signals: getEventListeners(signal, 'abort').length }));
`;

describe('a pipeline', () => {
  it(`keeps nothing of ${runs} runs`, async () => {
    const bundled = await build({
      stdin: { contents: program, resolveDir: root, loader: 'ts' },
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      write: false,
      logLevel: 'silent',
      alias: { '#hash': `${root}src/core/no-portable-hash.ts` },
    });
    const folder = await mkdtemp(join(tmpdir(), 'reviewloop-leaks-'));
    const file = join(folder, 'runs.mjs');
    await writeFile(file, bundled.outputFiles[0]?.text ?? '');
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', file]);
    await rm(folder, { recursive: true });
    const { heard, left, signals } = JSON.parse(stdout) as Record<string, number>;
    expect({ heard, signals }).toEqual({ heard: 2 * runs, signals: 0 });
    expect(left).toBeLessThan(100);
  });
});
