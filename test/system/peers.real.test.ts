import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  modelServer,
  type PeersModelServer,
  type Scenario,
} from '../../bench/peers/model-server.mjs';
import { root } from '../architecture/repository.js';
import { runBundled } from './example-harness.js';

interface Given {
  readonly approved: boolean;
  readonly text: string;
  readonly status?: string;
  readonly threw?: string;
}

let server: PeersModelServer;
let folder: string;

beforeAll(async () => {
  server = await modelServer({ writeMs: 0, judgeMs: 0 });
  folder = mkdtempSync(join(tmpdir(), 'peers-'));
  vi.stubEnv('PEERS_MODEL_URL', server.url);
  vi.stubEnv('PEERS_STATE_DIR', folder);
});

afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const loops = ['by-hand/loop', 'by-hand/complete', 'reviewloop/loop'] as const;
type Loop = (typeof loops)[number];

/** Runs a loop of bench/peers with the sources; the same id continues the same run. */
async function runLoop(loop: Loop, runId: string): Promise<Given> {
  vi.stubEnv('PEERS_RUN_ID', runId);
  const path = `bench/peers/${loop}.mjs`;
  const files = [path, 'bench/peers/task.mjs'].map((file) => readFileSync(join(root, file)));
  const digest = createHash('sha256').update(Buffer.concat(files)).digest('hex');
  const code = `
    // ${digest}
    import { run } from './${path}';
    const given = await run(process.env['PEERS_RUN_ID']).catch((error) => ({ threw: String(error) }));
    console.log(JSON.stringify(given));`;
  const { out, err } = await runBundled({ code }, loop.replace('/', '-'));
  expect(err).toBe('');
  return JSON.parse(out) as Given;
}

const versionIn = ({ text }: Given) => Number(/version (\d+)/.exec(text)?.[1]);

describe('the loops that peers are compared with', () => {
  const scenarios: readonly [Scenario, number, number][] = [
    ['clean', 3, 27],
    ['rules', 2, 18],
  ];
  it.each(scenarios)('give the same text: %s', async (scenario, version, calls) => {
    for (const loop of loops) {
      server.begin(scenario);
      const given = await runLoop(loop, `${scenario}-${loop.replace('/', '-')}`);
      expect(given.approved, loop).toBe(true);
      expect(versionIn(given), loop).toBe(version);
      // code checks come first here, so a broken rule costs no judge
      expect(server.calls().paid, loop).toBe(
        scenario === 'rules' && loop.startsWith('reviewloop') ? calls - 8 : calls,
      );
    }
  });

  it('bring back what they keep when the rounds are used up', async () => {
    const found: number[] = [];
    for (const loop of loops) {
      server.begin('worse');
      const given = await runLoop(loop, `worse-${loop.replace('/', '-')}`);
      expect(given.approved, loop).toBe(false);
      found.push(versionIn(given));
    }
    expect(found).toEqual([3, 2, 2]);
  });

  it('tell of a judge that fails, and pay for no verdict twice where they keep them', async () => {
    const paid: number[] = [];
    for (const loop of loops) {
      const runId = `down-${loop.replace('/', '-')}`;
      server.begin('clean', { down: 'ending' });
      const given = await runLoop(loop, runId);
      expect(given.approved ?? false, loop).toBe(false);
      server.repair();
      expect((await runLoop(loop, runId)).approved, loop).toBe(true);
      paid.push(server.calls().paid);
    }
    expect(paid).toEqual([35, 27, 27]);
  });
});
