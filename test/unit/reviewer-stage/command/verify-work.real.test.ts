import { describe, expect, it } from 'vitest';
import { planner } from '../../../../src/reviewer-stage/command/planner.js';
import type { StageRequest } from '../../../../src/reviewer-stage/command/stage-request.js';
import { verifyWork } from '../../../../src/reviewer-stage/command/verify-work.js';
import { newRepository } from '../../../support/git-repository.js';
import { folderOf } from '../../cli/harness.js';

const never = new AbortController().signal;

describe('verification of work', () => {
  it('is a line for the shell or a program with arguments, each with how it ended', async () => {
    const cwd = await folderOf();
    expect(
      await verifyWork(['echo one && exit 3', ['echo', 'a  b; exit 1'], ['/nowhere/at/all']], {
        cwd,
        signal: never,
      }),
    ).toEqual([
      { name: 'echo one && exit 3', passed: false, details: 'one' },
      { name: 'echo a  b; exit 1', passed: true, details: 'a  b; exit 1' },
      {
        name: '/nowhere/at/all',
        passed: false,
        details: expect.stringContaining('/nowhere/at/all') as string,
      },
    ]);
  });

  it('keeps the end of a long output, without secrets and control characters', async () => {
    const [result] = await verifyWork(
      [
        `printf 'start\\033[31m'; head -c 9000 /dev/zero | tr '\\0' x; echo; echo AKIA${'ABCDEFGH12345678'}`,
      ],
      { cwd: await folderOf(), signal: never },
    );
    expect(result?.details).toMatch(/^\[\d+ characters left out\]\nx+\n/);
    expect(result?.details?.length).toBeLessThan(4100);
    for (const gone of ['AKIA', '\u001b', 'start']) expect(result?.details).not.toContain(gone);
  });

  it('ends with the command that the user ends', async () => {
    await expect(
      verifyWork(['sleep 60'], { cwd: await folderOf(), signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('a planner that is a command', () => {
  const parts = () => {
    const repository = newRepository();
    repository.write('a.js', 'export const a = 1;\n');
    const base = repository.commit();
    repository.write('a.js', 'export const a = 2;\n');
    const request: StageRequest = {
      ...{
        kind: 'stage',
        schemaVersion: 2,
        runId: 'r',
        sessionId: 's',
        at: '',
        cwd: repository.cwd,
        task: { source: 't', text: 'Change a' },
        diff: { kind: 'working-tree', base },
      },
      ...{ paths: [], own: [], base, config: false, verify: [], allowTruncated: [], again: false },
      ...{
        human: undefined,
        provider: undefined,
        model: undefined,
        baseUrl: undefined,
        contextTokens: undefined,
        providerEnv: [],
      },
    };
    return {
      request,
      verify: ['test -f a.js'],
      allowedSecrets: [],
      signal: never,
      say: async () => {},
    };
  };
  const work = (plan?: string) => ({
    ...{ sessionId: 's', request: 'Change a', executionResults: [], changedFiles: [] },
    verificationResults: [
      { name: 'test -f a.js', passed: false },
      { name: 'by hand', passed: true },
    ],
    ...(plan !== undefined && { plan }),
  });
  const feedback = { text: 'name it b', issues: [] };

  it('prints the new plan; nothing keeps the old one, or none; its own verifications are made again', async () => {
    for (const [command, before, after] of [
      ['echo anew', 'old', 'anew'],
      ['true', 'old', 'old'],
      [['true'], undefined, undefined],
    ] as const) {
      const next = await planner(command, parts())(
        feedback as never,
        { work: work(before), cycle: 1, signal: never } as never,
      );
      expect(next.plan).toBe(after);
      expect(next.changedFiles.map(({ path }) => path)).toEqual(['a.js']);
      expect(next.verificationResults).toEqual([
        { name: 'by hand', passed: true },
        { name: 'test -f a.js', passed: true, details: '' },
      ]);
    }
  });

  it('fails the run where it fails, with the end of what it said', async () => {
    const replan = planner('cat >&2; exit 4', parts());
    await expect(
      replan(feedback as never, { work: work(), cycle: 1, signal: never } as never),
    ).rejects.toMatchObject({
      code: 'address_failed',
      message: expect.stringContaining('ended with exit code 4: name it b') as string,
    });
  });
});
