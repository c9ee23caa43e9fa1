import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { OutcomeStatus } from '@/core/outcome.js';
import { gateLines } from '@/quality-gate/command/gate-text.js';
import type { FinishedStep } from '@/quality-gate/finished-step.js';
import { saveRun } from '@/reports/run-folder.js';
import type { RunReport } from '@/reports/run-report.js';
import { taskLines } from '@/task-review/command/task-report.js';
import type { TaskResult } from '@/task-review/task-result.js';
import { gateCall } from '../../support/gate-call.js';
import { emptyReport } from '../cli-kit/support.js';
import { folderOf, runCli } from './harness.js';

const statuses: readonly OutcomeStatus[] = [
  ...(['approved', 'accepted', 'suspended', 'rejected', 'escalated', 'exhausted'] as const),
  ...(['stalled', 'inconclusive', 'timed_out', 'cancelled', 'failed'] as const),
];

/** Other words for the same endings. */
const synonyms =
  /declin|overrid|complet|waits|needs work|needs_work|timed out|aborted|killed|gave up|out of time|undecided/i;

const report = (status: OutcomeStatus): RunReport => ({
  ...emptyReport,
  runId: `0192f3c8-0000-7000-8000-00000000000${statuses.indexOf(status).toString(36)}`,
  at: '2026-01-01T00:00:00.000Z',
  durationMs: 1,
  status,
  approved: status === 'approved',
  code: 'any',
  reason: 'the reason',
  exitCode: 0,
  task: { source: 'TASK.md' },
  criteria: { chosen: ['own'], reason: 'named', names: {} },
});

const words = (text: string): string[] =>
  statuses.filter((word) => new RegExp(`(?<![\\w-])${word}(?![\\w-])`, 'i').test(text));

it.each(statuses)('%s has one word in every list, page and headline [R2-099]', async (status) => {
  const cwd = await folderOf();
  const { runId } = report(status);
  const kept = { report: report(status), summary: '', output: undefined };
  await saveRun(join(cwd, '.reviewloop'), kept);
  const shown = async (...argv: string[]) =>
    (await runCli(cwd, argv)).out.replace(/^next: .*/m, '');
  const list = await shown('runs');
  const page = await shown('runs', runId);
  const history = await shown('history');
  expect(words(list)).toEqual([status]);
  // a headline may say `not approved` beside it
  const headline = page.split('\n').find((line) => /^[A-Z]{2}/.test(line)) ?? '';
  expect(words(headline.replace(/not approved/i, ''))).toEqual([status]);
  expect(await shown('show', runId)).toBe(page);
  // `Decision` is the column of the reviewer stage, with its own two words
  const row = history.split('\n')[1] ?? '';
  if (status !== 'exhausted') expect(words(row)).toContain(status);
  expect(row).not.toMatch(/APPROVED \(|REJECTED \(rejected|INCONCLUSIVE \(inconclusive/);
  expect(`${list}${page}${history}`).not.toMatch(synonyms);
});

it('a step of a job and a task say the same words [R2-099]', () => {
  const step = (more: Partial<FinishedStep>): string =>
    gateLines(
      {
        ...{ status: 'needs_work', outcome: null, feedback: null, failed_reviews: null },
        ...{ instructions_path: null, hash: '', attempts: 1, review_errors: 0, error: null },
        ...{ unanswered: [], stale: [], begin_step: null },
        ...more,
      },
      gateCall({ mode: 'self' }),
    ).join('\n');
  expect(words(step({ status: 'next_step', outcome: 'approved' }))).toEqual(['approved']);
  expect(words(step({ status: 'next_step', outcome: 'accepted' }))).toEqual(['accepted']);
  expect(words(step({ instructions_path: 'x.md' }).replace('--override', ''))).toEqual([
    'suspended',
  ]);
  const closed = [null, 'timed_out', 'review_failed', 'files_changed'] as const;
  expect(closed.flatMap((error) => words(step({ error }).replace('NOT APPROVED', '')))).toEqual([
    'exhausted',
    'timed_out',
    'inconclusive',
    'inconclusive',
  ]);
  for (const status of statuses) {
    const result = { status: 'failed', code: 'X', error: 'y', reviewFindings: null, attempts: [] };
    const task = { ...result, run: { runId: 'r', status } } as unknown as TaskResult;
    expect(taskLines('T-1', task, { store: '', again: 'x' })[1]).toBe(`  ${status}, X: y`);
  }
});
