// Runs one loop as processes against the fake model: what it costs, and what happens when things go wrong.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { here } from './peers.mjs';
import { concurrency, questions, rounds } from './task.mjs';

/** The calls of a run that is approved after its last review: one writes, the others judge or revise. */
export const neededCalls = rounds * (questions.length + 1);

/** The calls that were answered when the process is killed: half of the second review. */
export const killedAfter = 1 + questions.length + 1 + questions.length / 2;

const warmUps = 4;
const measured = 12;
const patienceMs = 60_000;

/** Gives a function one folder to keep things in, and takes it away. */
async function withFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'peers-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Starts a loop in a process; `done` resolves with what it printed, or with undefined when it was killed. */
function start({ node, file, server, folder, times = 1, cache = true }) {
  const child = spawn(node, [join(here, 'child.mjs'), `./${file}`, 'run', String(times)], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PEERS_MODEL_URL: server.url,
      PEERS_STATE_DIR: folder,
      // promptfoo judges eight things at a time as the others do, keeps its files in the folder, and asks no other host
      PROMPTFOO_ASSERTIONS_MAX_CONCURRENCY: String(concurrency),
      PROMPTFOO_CONFIG_DIR: join(folder, 'promptfoo'),
      PROMPTFOO_CACHE_ENABLED: String(cache),
      PROMPTFOO_DISABLE_TELEMETRY: '1',
      PROMPTFOO_DISABLE_UPDATE: '1',
      PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
      MASTRA_TELEMETRY_DISABLED: '1',
      LANGSMITH_TRACING: 'false',
    },
  });
  let text = '';
  let complaints = '';
  child.stdout.setEncoding('utf8').on('data', (part) => (text += part));
  child.stderr.setEncoding('utf8').on('data', (part) => (complaints += part));
  const limit = setTimeout(() => child.kill('SIGKILL'), 3 * patienceMs);
  const done = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      if (code === 0) resolve(JSON.parse(text.trim().split('\n').at(-1)));
      else if (signal === 'SIGKILL') resolve(undefined);
      else reject(new Error(`${file} ended with ${code}:\n${complaints.slice(-2000)}`));
    });
  });
  return { child, done };
}

/** What a run gave: whether it approved, which version, and what it says about it. */
function told({ value, threw }) {
  if (threw !== undefined) return { threw };
  const [, version] = /This is version (\d+)/.exec(value.text ?? '') ?? [];
  const { approved = false, status, reason } = value;
  return { approved, ...(version && { version: Number(version) }), status, reason };
}

/** One run of a scenario. */
export async function runOnce(loop, scenario) {
  return withFolder(async (folder) => {
    loop.server.begin(scenario);
    const { runs } = await start({ ...loop, folder }).done;
    return { ...told(runs[0]), paid: loop.server.calls().paid };
  });
}

/** One judge of twenty fails for good; then it works again, and the same run is started again. */
export async function oneJudgeFails(loop) {
  return withFolder(async (folder) => {
    loop.server.begin('clean', { down: questions.at(-1).id });
    const first = await start({ ...loop, folder }).done;
    const { paid } = loop.server.calls();
    loop.server.repair();
    const second = await start({ ...loop, folder }).done;
    return {
      first: { ...told(first.runs[0]), paid },
      second: told(second.runs[0]),
      paidAgain: loop.server.calls().paid - neededCalls,
    };
  });
}

/** The process is killed in its second review; then the same run is started again. */
export async function killed(loop) {
  return withFolder(async (folder) => {
    loop.server.begin('clean', { holding: true });
    const { child, done } = start({ ...loop, folder });
    const end = Date.now() + patienceMs;
    while (loop.server.calls().paid < killedAfter && Date.now() < end) await wait(20);
    // time to write down what was answered
    await wait(1000);
    const { paid } = loop.server.calls();
    child.kill('SIGKILL');
    await done;
    loop.server.repair();
    await wait(100);
    const again = await start({ ...loop, folder }).done;
    return {
      ...told(again.runs[0]),
      paidBefore: paid,
      paidAgain: loop.server.calls().paid - neededCalls,
    };
  });
}

/** What a run costs, in a process that has run a few already. */
export async function costs(loop) {
  return withFolder(async (folder) => {
    loop.server.begin('clean');
    // the runs are alike, so a cache over runs would measure nothing
    const times = warmUps + measured;
    const { runs, peakMb } = await start({ ...loop, folder, times, cache: false }).done;
    const counted = runs.slice(warmUps);
    const paid = loop.server.calls().paid;
    if (paid !== times * neededCalls)
      throw new Error(`${loop.file}: ${times} runs paid ${paid} calls, not ${times * neededCalls}`);
    return {
      ms: Math.min(...counted.map(({ ms }) => ms)),
      cpuMs: median(counted.map((run) => run.cpuMs)),
      peakMb,
    };
  });
}

/** The memory of a process that does nothing, in MB. */
export function nodeAlone(node) {
  const code = 'console.log(process.resourceUsage().maxRSS / 1024)';
  const child = spawn(node, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part) => (text += part));
  return new Promise((resolve) => child.on('close', () => resolve(Number(text))));
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
