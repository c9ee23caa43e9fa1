import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { definePipeline } from '@/blocks/pipeline/define-pipeline.js';
import { answerRun } from '@/faces/cli/runs/answer-run.js';
import { historyFlags } from '@/faces/cli/runs/runs-flags.js';
import { showRuns } from '@/faces/cli/runs/show-runs.js';
import type { StoredCall } from '@/faces/cli-kit/flags/command.js';
import { folderStore } from '@/faces/cli-kit/open-store.js';
import {
  findReview,
  listHistory,
  listReviews,
  showMetrics,
  showSummary,
} from '@/faces/commands/reviewer-stage/stored-reviews.js';
import { saveRun } from '@/faces/reports/run-folder.js';
import { systemClock } from '@/ports/clock.js';
import { callIn, streams } from '../../../../support/command-streams.js';
import { expectCode } from '../../../../support/matchers.js';
import { folderOf } from '../../cli/harness.js';
import { configWith } from './stage-place.js';
import { type StoredPlace, storedPlace, storedReview } from './stored-place.js';

const good = 'export const a = 1;\n';
const poor = '// FIXME\n';
type Place = StoredPlace;
const reviewed = async (
  place: Place,
  code: string,
  more: Parameters<typeof storedReview>[2] = {},
): Promise<{ readonly id: string }> => ({
  id: (await storedReview(place, code, more)).request.runId,
});
type Format = 'text' | 'json';

/** What a command prints about a store. */
async function shown(
  { cwd }: Pick<Place, 'cwd'>,
  show: (call: StoredCall, settings: never) => Promise<unknown>,
  more: object = {},
): Promise<string> {
  const { io, written } = streams(cwd);
  const settings = { id: undefined, format: 'text' satisfies Format, ...more };
  await show(callIn(io), settings as never);
  return written.out;
}

const showReview = (call: StoredCall, settings: Parameters<typeof showRuns>[1]): Promise<number> =>
  showRuns(call, { ...settings, levels: true });

/** Two reviews: one approved, then one rejected. */
async function twice() {
  const place = await storedPlace();
  const first = await reviewed(place, good, { sessionId: 'first' });
  const second = await reviewed(place, poor, { sessionId: 'second' });
  return { place, first, second };
}

describe('the stored reviews of diffs', () => {
  it('are listed with decision and age, the newest first [RV-37]', async () => {
    const { place } = await twice();
    expect(
      (await shown(place, listHistory)).split('\n').map((row) => row.trim().split(/\s{2,}/)),
    ).toEqual([
      ['Session', 'Decision', 'Time'],
      ['second', 'REJECTED', 'just now'],
      ['first', 'APPROVED', 'just now'],
      [''],
    ]);
    const rows = async (more: object): Promise<unknown[]> =>
      (
        JSON.parse(await shown(place, listHistory, { format: 'json', ...more })) as {
          reviews: Record<string, unknown>[];
        }
      ).reviews.map(({ sessionId }) => sessionId);
    expect(await rows({})).toEqual(['second', 'first']);
    expect(await rows({ limit: 1 })).toEqual(['second']);
    for (const status of ['approved', 'APPROVED', 'completed'])
      expect(await rows({ status }), status).toEqual(['first']);
    for (const status of ['exhausted', 'Rejected'])
      expect(await rows({ status })).toEqual(['second']);
    expect(await rows({ since: systemClock.now() + 1000 })).toEqual([]);
    expect(await rows({ since: systemClock.now() - 60_000 })).toHaveLength(2);
    expect(JSON.parse(await shown(place, listHistory, { format: 'json', limit: 1 }))).toMatchObject(
      {
        schemaVersion: 1,
        reviews: [
          {
            ...{ kind: 'diff', goal: 'Add a file', status: 'exhausted', decision: 'REJECTED' },
            ...{ outcome: 'rejected', levels: { done: 'poor' }, cycles: 0 },
            decidedBy: 'the reviewers',
          },
        ],
      },
    );
  });

  it('are none in a store without them', async () => {
    const cwd = await folderOf();
    expect(await shown({ cwd }, listHistory)).toBe('no reviews of files or diffs\n');
    await expectCode(findReview(folderStore(join(cwd, '.reviewloop')), undefined), 'run_unknown');
    expect(await shown({ cwd }, showMetrics)).toContain('Reviews: 0\n');
  });

  it('are found by session, by run, by a part of it, or as the last one', async () => {
    const { place, first, second } = await twice();
    const found = async (id?: string) => (await findReview(place.store, id)).report.runId;
    expect(await found()).toBe(second.id);
    expect(await found('first')).toBe(first.id);
    for (const { id } of [first, second]) expect(await found(id)).toBe(id);
    await expectCode(found('none'), 'run_unknown');
  });

  it('that cannot be read are told by name, and the others are shown', async () => {
    const { place, first, second } = await twice();
    const { cwd, store } = place;
    const file = (id: string, name: string): string => join(cwd, '.reviewloop/runs', id, name);
    writeFileSync(file(second.id, 'summary.json'), '{"schemaVersion":2}');
    expect(await listReviews(store.files)).toMatchObject([
      {
        ...{ runId: second.id, state: 'unreadable' },
        broken: expect.stringContaining('was not written by this version') as string,
      },
      { summary: { sessionId: 'first' } },
    ]);
    expect(await shown(place, listHistory, { status: 'unreadable' })).toMatch(/unreadable/);
    expect(await shown(place, showMetrics)).toContain('  Unreadable: 1\n');
    writeFileSync(file(first.id, 'request.json'), '{"kind":"stage"}');
    await expectCode(findReview(store, first.id), 'file_unreadable');
    rmSync(file(second.id, 'summary.json'));
    await expectCode(findReview(store, second.id), 'file_unreadable');
  });
});

describe('one stored review of a diff', () => {
  it('is shown with its levels, and the issues of those that are too low, by default the last [RV-35]', async () => {
    const { place, second } = await twice();
    expect((await shown(place, showReview)).split('\n')).toEqual([
      ...['Review for session second:', '  Decision: REJECTED', '  Time: just now'],
      ...['  Status: exhausted', expect.stringContaining('  Reason: done is poor')],
      ...[
        `  Run: ${second.id}`,
        '',
        '  Dimensions:',
        '    Did: Poor',
        '      - there is a FIXME',
        '',
      ],
    ]);
    const approved = await shown(place, showReview, { id: 'first' });
    expect(approved).toContain('    Did: Good\n');
    expect(approved).not.toContain('Status:');
    expect(JSON.parse(await shown(place, showReview, { format: 'json' }))).toMatchObject({
      sessionId: 'second',
      decision: 'REJECTED',
    });
  });

  it('has a summary, as text and as JSON', async () => {
    const { place } = await twice();
    const text = await shown(place, showSummary, { id: 'first' });
    expect(text).toMatch(/^Task Summary: Add a file\nSession: first\nStatus: COMPLETED\n/);
    expect(text).toContain('  + a.js (new)\n');
    expect(JSON.parse(await shown(place, showSummary, { format: 'json' }))).toMatchObject({
      sessionId: 'second',
    });
  });

  it('counts in the metrics', async () => {
    const { place } = await twice();
    expect((await shown(place, showMetrics)).split('\n').slice(0, 4)).toEqual([
      ...['Reviews: 2', '  Approval rate: 50 % (1 approved, 1 rejected, 0 inconclusive)'],
      ...['  Outcomes: completed 1, rejected 1', '  Common issues: done 1'],
    ]);
    expect(JSON.parse(await shown(place, showMetrics, { format: 'json' }))).toMatchObject({
      schemaVersion: 1,
      reviews: 2,
      approvalRate: 0.5,
      unreadable: 0,
    });
  });
});

describe('an answer to a review of a diff', () => {
  async function answered(place: Place, kind: string, more: object = {}) {
    const { report } = await findReview(place.store, undefined);
    const { io, written } = streams(place.cwd);
    const settings = { id: report.runId, answer: kind, by: 'Ada', format: 'text', quiet: true };
    const given = { ...settings, reason: undefined, question: undefined, report: [], ...more };
    return { code: await answerRun(callIn(io), given as never), ...written };
  }
  const asked = async (code = good, more: object = {}) => {
    const place = await storedPlace();
    const { id } = await reviewed(place, code, { human: 'require', ...more });
    return { place, id };
  };

  it('approves, and shows no review twice', async () => {
    const { place } = await asked();
    const { code, out } = await answered(place, 'approve', { reason: 'seen' });
    expect(code).toBe(0);
    expect(out).toMatch(
      /^✓ Approved by user\n\n {2}Decision: APPROVED\n[\s\S]*\[COMPLETE\] Task finished/,
    );
    expect(out).not.toContain('Reviewing');
    expect(await shown(place, showSummary)).toContain('Decided by: Ada\n');
    await expectCode(answered(place, 'approve'), 'request_unknown');
  });

  it('declines with exit code 51, also as JSON', async () => {
    const { place } = await asked();
    const { code, out } = await answered(place, 'reject', { reason: 'thin', format: 'json' });
    expect(code).toBe(51);
    expect(JSON.parse(out)).toMatchObject({
      ...{ status: 'rejected', outcome: 'declined', code: 'ACODE-REVIEW-004', exitCode: 51 },
    });
  });

  it('overrides rejected work with a reason, and keeps how long it took', async () => {
    const { place, id } = await asked(poor, { human: 'auto' });
    const file = join(place.cwd, '.reviewloop/runs', id, 'summary.json');
    const before = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...before, durationMs: 90_000 }));
    await expectCode(answered(place, 'override'), 'reason_required');
    const { code, out } = await answered(place, 'override', { reason: 'a prototype' });
    expect(code).toBe(0);
    expect(out).toMatch(/^⚠ Review rejection overridden\n {2}Reason: a prototype\n/);
    expect(out).not.toContain('Decision:');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      ...{ durationMs: 90_000, overrideReason: 'a prototype', outcome: 'overridden' },
    });
    expect(await shown(place, listHistory)).toContain('REJECTED (accepted)');
  });

  it('decides what no model judged, and writes the reports', async () => {
    const place = await storedPlace(configWith().replace('safety: false', 'safety: true'));
    await reviewed(place, good);
    await expect(answered(place, 'approve')).rejects.toMatchObject({
      ...{ code: 'answer_not_allowed', message: expect.stringContaining('or `decide`') as string },
    });
    const decisions = { decisions: ['safety=yes'], report: ['junit=out.xml'] };
    expect((await answered(place, 'decide', decisions)).code).toBe(0);
    expect(readFileSync(join(place.cwd, 'out.xml'), 'utf8')).toContain('safety');
  });
});

describe('a time span of --since', () => {
  const since = historyFlags.find(({ name }) => name === 'since');
  const parse = (text: string): number =>
    since !== undefined && 'parse' in since ? since.parse(text) : 0;

  it('is minutes, hours, days, weeks, or a date', () => {
    for (const [text, ms] of [
      ['1m', 60_000],
      ['12h', 43_200_000],
      ['7d', 604_800_000],
      ['4w', 2_419_200_000],
    ] as const) {
      const before = systemClock.now();
      const at = parse(text) + ms;
      expect(at, text).toBeGreaterThanOrEqual(before);
      expect(at, text).toBeLessThanOrEqual(systemClock.now());
    }
    expect(parse('2026-01-31')).toBe(Date.parse('2026-01-31'));
    for (const text of ['7y', 'soon', '1234567d', 'x7d', '7dx'])
      expect(() => parse(text), text).toThrow();
    expect(since !== undefined && 'write' in since && since.write(0)).toBe(
      '1970-01-01T00:00:00.000Z',
    );
  });
});

it('a review of files is shown as its report, beside reviews of diffs', async () => {
  const place = await storedPlace();
  const { request } = await storedReview(place, 'export const a = 1;\n');
  const about = {
    ...{ at: '2026-01-01T00:00:00.000Z', durationMs: 5, status: 'approved', approved: true },
    ...{ code: 'approved', reason: 'all passed', exitCode: 0, task: { source: 'PAGE.md' } },
    ...{ criteria: { chosen: [], reason: '', names: {} }, files: [], notReviewed: [], gaps: [] },
    ...{ coverage: [], failures: [], undecided: [], fixed: [], changed: [], written: [] },
    reviews: [],
  };
  const report = { schemaVersion: 1, runId: 'files-1', ...about } as never;
  await saveRun(place.store.files, { report, summary: '# The page\n', output: undefined });
  const id = { id: 'files-1' };
  expect(JSON.parse(await shown(place, showReview, { ...id, format: 'json' }))).toMatchObject({
    runId: 'files-1',
    task: { source: 'PAGE.md' },
  });
  expect(await shown(place, showReview, id)).not.toContain('Review for session');
  expect(await shown(place, showSummary, id)).toBe('# The page\n');
  expect(await shown(place, showReview, { id: request.runId })).toMatch(/^Review for session/);
});

it('a run that code started is shown as what its record holds', async () => {
  const place = await storedPlace();
  const pipeline = definePipeline({
    ...{ name: 'my-own', store: place.store.runs, produce: async () => 'tea' },
    criteria: { short: (text: string) => text.length < 5 },
  });
  await pipeline.run('Write', { runId: 'code-1' });
  expect(await shown(place, showReview, { id: 'code-1' })).toContain('my-own');
});
