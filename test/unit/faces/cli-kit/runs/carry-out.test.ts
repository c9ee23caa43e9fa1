import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '@/core/outcome.js';
import { folderStore } from '@/faces/cli-kit/open-store.js';
import { carryOut } from '@/faces/cli-kit/runs/carry-out.js';
import type { OpenRun } from '@/faces/cli-kit/runs/run-kind.js';
import { reportRun } from '@/faces/reports/report-run.js';
import { storedReport } from '@/faces/reports/run-folder.js';
import type { RunReport } from '@/faces/reports/run-report.js';
import { streams } from '../../../../support/command-streams.js';
import { folderOf } from '../../cli/harness.js';

const usage = { produce: {}, review: {}, address: {} };
const ended = (status: string) =>
  ({
    ...{ runId: 'run-1', status, approved: false, code: status, reason: `it is ${status}` },
    ...{ reviews: [], usage, requests: [] },
  }) as unknown as Outcome<string>;

const about = {
  ...{ at: '2026-11-29T00:00:00.000Z', exitCode: 50, task: { source: 'TASK.md' }, changed: [] },
  ...{ criteria: { chosen: [], reason: '', names: {} }, files: [], notReviewed: [] },
};

/** Carries out a run that ends like this, and returns what happened to it. */
async function carried(
  status: string,
  {
    before,
    ...more
  }: Partial<OpenRun<Outcome<string>>> & { readonly before?: RunReport | undefined } = {},
) {
  const cwd = await folderOf();
  const store = folderStore(join(cwd, '.reviewloop'));
  const { io, written } = streams(cwd);
  const steps: string[] = [];
  const call = { io, store, watchdogEntry: undefined, cwd, format: 'text' as const, quiet: true };
  const code = await carryOut<Outcome<string>>(
    { ...call, report: ['junit=out.xml'] },
    {
      times: 'review',
      before,
      open: async () => ({
        run: { on: () => {} },
        act: async () => ({ result: ended(status) }),
        recorder: { versions: () => ({}), judges: () => [] },
        outcomeOf: (outcome) => outcome,
        reportOf: async (outcome, seen) => reportRun(outcome, { ...about, ...seen }),
        storedOf: () => ({ summary: '# Page\n', output: undefined }),
        show: async (_, report, folder) => {
          steps.push(`shown ${report.status}${folder === undefined ? '' : ' stored'}`);
        },
        close: async () => void steps.push('closed'),
        ...more,
      }),
    },
  ).catch((error: unknown) => error);
  return { code, steps, stored: await storedReport(store.files, 'run-1'), ...written };
}

describe('a run that a command carries out', () => {
  it('is stored and shown, also if it was cancelled', async () => {
    for (const status of ['rejected', 'cancelled']) {
      const { code, steps, stored } = await carried(status);
      expect([code, steps]).toEqual([50, [`shown ${status} stored`, 'closed']]);
      expect(stored?.status).toBe(status);
    }
  });

  it('stays as it is stored if it went on and was cancelled', async () => {
    const { code, steps, stored } = await carried('cancelled', { before: reportOf('suspended') });
    expect(code).toMatchObject({ code: 'cancelled' });
    expect([steps, stored]).toEqual([['closed'], undefined]);
  });

  it('takes each step after one that failed, and tells the first failure', async () => {
    const { code, steps, stored } = await carried('rejected', {
      writeBack: async () => {
        throw new Error('the disk is full');
      },
    });
    expect(code).toMatchObject({ message: 'the disk is full' });
    expect([steps, stored?.status]).toEqual([['shown rejected stored', 'closed'], 'rejected']);
  });

  it('is stored, and not shown, after an answer that does not count', async () => {
    const { code, steps, stored } = await carried('rejected', {
      act: async () => ({
        result: ended('rejected'),
        refused: (now) => new Error(`too late: it is ${now}`),
      }),
    });
    expect(code).toMatchObject({ message: 'too late: it is rejected' });
    expect([steps, stored?.status]).toEqual([['closed'], 'rejected']);
  });

  it('is stored again after a person was asked, and keeps what took longer', async () => {
    const { steps, stored } = await carried('suspended', {
      reportOf: async (outcome, seen) =>
        reportRun(outcome, {
          ...{ ...about, ...seen },
          durationMs: outcome.status === 'suspended' ? 9_000 : 1,
        }),
      settle: async () => ended('rejected'),
    });
    expect(steps).toEqual(['shown rejected stored', 'closed']);
    expect(stored).toMatchObject({ status: 'rejected', durationMs: 9_000 });
  });

  it('without a stored report writes only what is asked for', async () => {
    const { code, steps, stored } = await carried('rejected', { storedOf: undefined });
    expect([code, steps, stored]).toEqual([50, ['shown rejected', 'closed'], undefined]);
  });
});

function reportOf(status: string): RunReport {
  const seen = { fixers: new Set<string>(), durationMs: 1, judges: [], written: [] };
  return reportRun(ended(status), { ...about, ...seen });
}
