// Context loading from a real repository (its working tree, and a commit), a whole review over judges of a fixed latency, and summaries: the best of some runs.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { answer, given } from '../lib/child.mjs';
import { dist } from '../lib/library.mjs';

const { files, judgeMs } = given();
const { defaultDimensions, ReviewerStage, SummaryGenerator, workFromDiff } = await import(
  pathToFileURL(`${dist}/index.js`).href
);
const { gitDiff, gitFiles } = await import(pathToFileURL(`${dist}/git.js`).href);

const cwd = mkdtempSync(join(tmpdir(), 'reviewloop-bench-'));
const git = (...args) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    cwd,
    stdio: 'ignore',
  });
const code = (n, at) =>
  Array.from(
    { length: 60 },
    (_, line) => `export const value${line} = ${n + line + at}; // a line as code has it\n`,
  ).join('');
try {
  git('init', '-q');
  mkdirSync(join(cwd, 'src'));
  for (let n = 0; n < files * 2; n += 1) writeFileSync(join(cwd, `src/f${n}.js`), code(n, 0));
  git('add', '-A');
  git('commit', '-qm', 'a');
  for (let n = 0; n < files; n += 1) writeFileSync(join(cwd, `src/f${n}.js`), code(n, 1));

  let work;
  const best = async (runs, measured) => {
    let least = Number.POSITIVE_INFINITY;
    for (let run = 0; run < runs; run += 1) {
      const start = performance.now();
      await measured();
      least = Math.min(least, performance.now() - start);
    }
    return least;
  };
  const load = async (request) => {
    const diff = await gitDiff({ cwd }).diff(request);
    work = await workFromDiff(diff, {
      sessionId: 's',
      request: 'Change the values',
      files: gitFiles(diff, { cwd }),
    });
  };
  const loadMs = await best(5, () => load({ kind: 'working-tree' }));
  git('add', '-A');
  git('commit', '-qm', 'b');
  const commitMs = await best(5, () => load({ kind: 'range', range: 'HEAD~1..HEAD' }));
  // of this process alone, after five and more runs: what stays and grows would show here
  const before = process.cpuUsage();
  await load({ kind: 'range', range: 'HEAD~1..HEAD' });
  const cpu = process.cpuUsage(before);
  const cpuMs = (cpu.user + cpu.system) / 1000;

  let calls = 0;
  const provider = {
    id: 'fixed-latency',
    capabilities: {
      structured: 'prompt',
      schemaSubset: 'full',
      streaming: false,
      reportsUsage: false,
      reportsCost: false,
    },
    generate: async ({ messages }) => {
      calls += 1;
      await new Promise((done) => setTimeout(done, judgeMs));
      const text = messages.map(({ content }) => content).join('\n');
      const token = /The token is (\w+)\./.exec(text)?.[1];
      const answers = [...text.matchAll(/^Question (\d+)/gm)].map(([, question]) => ({
        question: Number(question),
        answer: 'yes',
        reason: 'as it should be',
      }));
      return {
        text: JSON.stringify({ token, answers }),
        finish: 'stop',
        usage: {},
        model: 'fixed',
        warnings: [],
        attempts: 1,
      };
    },
  };
  let result;
  const reviewMs = await best(3, async () => {
    calls = 0;
    result = await new ReviewerStage({ provider, dimensions: defaultDimensions() }).review(work);
  });
  const summaryMs = await best(20, async () =>
    new SummaryGenerator().generate(work, result.summary, result.dimensions),
  );
  answer({ loadMs, commitMs, cpuMs, reviewMs, summaryMs, calls, decision: result.decision });
} finally {
  rmSync(cwd, { recursive: true, force: true });
}
