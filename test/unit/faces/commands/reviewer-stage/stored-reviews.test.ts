import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Gap } from '@/core/gap.js';
import { saveRun } from '@/faces/reports/run-folder.js';
import type { ReviewReport, RunReport } from '@/faces/reports/run-report.js';
import { folderFiles } from '@/node/store-file.js';
import { ending, failing, words } from '../../../../support/matchers.js';
import { folderOf, runCli } from '../../cli/harness.js';

const scores = {
  ...{ overall: 0.5, quality: 0.5, completeness: 1, correctness: 1, judged: 1, total: 1 },
  criteria: { met: 1, judged: 2, total: 3 },
  requirements: { met: 0, judged: 0, total: 0 },
};
const gap: Gap = {
  ...{ id: 'g', severity: 'major', category: 'quality', description: 'it is vague' },
  ...{ suggestedFix: 'be clear', estimatedEffort: 'small', autoFixable: true },
  criterionId: 'clear',
};
const review: ReviewReport = {
  ...{ iteration: 1, version: 'v', at: '2026-01-01T00:00:00.000Z', durationMs: 1, scores },
  ...{ complete: true, best: false, decision: { kind: 'revise', reason: 'vague' } },
  ...{ gaps: [gap], fixed: [] },
  assessments: [
    { criterion: 'clear', verdict: 'fail', score: 0.3, text: 'vague' },
    { criterion: 'short', verdict: 'pass', text: 'short enough' },
    { criterion: 'late', verdict: 'skipped', text: 'not asked' },
  ],
};
const report: RunReport = {
  ...{ schemaVersion: 1, runId: 'aaaa', at: '2026-01-01T00:00:00.000Z', durationMs: 60_000 },
  ...{ status: 'exhausted', approved: false, code: 'iterations', reason: 'vague', exitCode: 50 },
  task: { source: 'TASK.md' },
  criteria: { chosen: ['own'], reason: '', names: { clear: 'Clear words' } },
  ...{ files: [], notReviewed: [], gaps: [gap], coverage: [], failures: [], undecided: [] },
  ...{ fixed: [], changed: ['a.md'], written: [], reviews: [review, { ...review, iteration: 2 }] },
};

async function storeWith(...reports: readonly Partial<RunReport>[]): Promise<string> {
  const cwd = await folderOf();
  for (const more of reports)
    await saveRun(folderFiles(join(cwd, '.reviewloop')), {
      report: { ...report, ...more },
      summary: '',
      output: undefined,
    });
  return cwd;
}

type Data = Readonly<Record<string, unknown>>;
/** What a command says as JSON. */
const told = async (cwd: string, line: string, ...args: string[]) =>
  JSON.parse((await runCli(cwd, [...words(`${line} --json`), ...args])).out) as Data;
const historyOf = async (cwd: string, ...args: string[]) =>
  (await told(cwd, 'history', ...args))['reviews'] as Data[];

const override = { kind: 'override', by: 'Ada', reason: 'a prototype' };

describe('reviews of files in the words of reviews of diffs', () => {
  test.each<[string, Partial<RunReport>, string]>([
    ['approved', { approved: true }, 'completed'],
    ['accepted', { acceptance: override }, 'overridden'],
    ['accepted', { acceptance: { kind: 'skip', by: 'Ada', reason: 'in a hurry' } }, 'completed'],
    ['rejected', {}, 'declined'],
    ['timed_out', {}, 'timed_out'],
    ['suspended', {}, 'suspended'],
    ['cancelled', {}, 'cancelled'],
    ['failed', { reviews: [] }, 'failed'],
    ['exhausted', {}, 'rejected'],
    ['stalled', {}, 'escalated'],
    ['inconclusive', {}, 'escalated'],
  ])('%s', async (status, more, outcome) => {
    const cwd = await storeWith({ status, ...more });
    expect(await historyOf(cwd)).toEqual([
      expect.objectContaining({
        kind: 'files',
        outcome,
        decision:
          more.approved === true ? 'APPROVED' : status === 'failed' ? 'INCONCLUSIVE' : 'REJECTED',
        decidedBy: more.acceptance?.by ?? 'the reviewers',
      }),
    ]);
    for (const word of [status, outcome])
      expect(await historyOf(cwd, '--status', word.toUpperCase())).toHaveLength(1);
    expect(await historyOf(cwd, '--status', 'overruled')).toEqual([]);
  });

  test('a criterion stands for a dimension: its level, what it found, what it sent back; what was not judged has none', async () => {
    const cwd = await storeWith({});
    const summary = await told(cwd, 'runs --summary');
    expect(summary).toMatchObject({
      ...{
        goal: 'TASK.md',
        decision: 'REJECTED',
        cycles: 1,
        cycleTriggers: [['clear']],
        levels: { clear: 'needs_work', late: null },
        completedAt: '2026-01-01T00:01:00.000Z',
      },
      ...{ notes: ['Clear words: it is vague'], changes: [{ path: 'a.md', kind: 'modified' }] },
    });
    expect(summary['overrideReason']).toBeUndefined();
  });

  test('metrics count skipped and undecided checks apart from failed judges, and name requirements [R2-022]', async () => {
    const requirement = 'requirement:c9d6';
    const open: ReviewReport = {
      ...review,
      best: true,
      assessments: [
        ...review.assessments,
        { criterion: requirement, id: 'R1', verdict: 'fail', score: 0, text: 'no' },
        { criterion: 'tone', verdict: 'undecided', text: 'nobody can tell' },
        { criterion: 'links', verdict: 'errored', text: 'offline', code: 'criterion_threw' },
      ],
    };
    const about = {
      source: 'explicit',
      covered: false,
      coverageDetails: '',
      confidence: 1,
    } as const;
    const coverage = [{ ...about, id: 'R1', requirement: 'It has a form' }];
    const cwd = await storeWith(
      { runId: 'aaaa', reviews: [open], coverage },
      { runId: 'bbbb' },
      { runId: 'cccc', approved: true, status: 'approved', reviews: [] },
    );
    expect(await told(cwd, 'runs --metrics')).toMatchObject({
      ...{ approved: 1, rejected: 2, inconclusive: 0, approvalRate: 1 / 3, skipped: 2 },
      undecided: [{ what: 'tone', count: 1 }],
      judgeFailures: [{ what: 'links', count: 1 }],
      commonIssues: [
        { what: 'clear', count: 2 },
        { what: 'It has a form', count: 1 },
      ],
    });
    expect((await runCli(cwd, ['runs', '--metrics'])).out).toMatch(
      / {2}Undecided: tone 1\n {2}Not applicable: 2\n {2}Judge failures: links 1\n/,
    );
  });

  test('a run in which no judge rejected is inconclusive [R2-021]', async () => {
    const cwd = await storeWith({
      ...{ status: 'inconclusive', code: 'undecided' },
      reviews: [
        { ...review, assessments: [{ criterion: 'tone', verdict: 'undecided', text: 'open' }] },
      ],
    });
    expect(await historyOf(cwd)).toEqual([
      expect.objectContaining({ decision: 'INCONCLUSIVE', status: 'inconclusive' }),
    ]);
  });

  test('an override is told with its reason', async () => {
    const cwd = await storeWith({ status: 'accepted', acceptance: override });
    const summary = await told(cwd, 'runs --summary aaaa');
    expect(summary).toMatchObject({ overrideReason: 'a prototype' });
    expect((await runCli(cwd, ['history'])).out).toMatch(/REJECTED \(accepted\)/);
  });

  test('a page that was lost is made again', async () => {
    const cwd = await storeWith({});
    const { rm } = await import('node:fs/promises');
    await rm(join(cwd, '.reviewloop/runs/aaaa/summary.md'));
    expect((await runCli(cwd, ['runs', '--summary'])).out).toContain('Clear words: it is vague');
  });

  test('what cannot be read stands in every list, and nothing is made up for it', async () => {
    const cwd = await storeWith({});
    await mkdir(join(cwd, '.reviewloop/runs/bbbb'));
    await writeFile(join(cwd, '.reviewloop/runs/bbbb/review.json'), '{}');
    expect(await historyOf(cwd, '--status', 'unreadable')).toEqual([
      { runId: 'bbbb', state: 'unreadable', broken: expect.any(String) as string },
    ]);
    expect(await historyOf(cwd, '--since', '2020-01-01')).toHaveLength(1);
    expect(await historyOf(cwd, '--since', '12h')).toEqual([]);
    expect((await runCli(cwd, ['runs', '--metrics'])).out).toContain('Unreadable: 1');
    expect(JSON.parse((await runCli(cwd, ['runs', '--format', 'json'])).out)).toMatchObject({
      runs: expect.arrayContaining([
        { runId: 'bbbb', at: null, broken: expect.any(String) as string },
      ]) as unknown,
    });
  });

  test.each([
    ['--since', '7y'],
    ['--since', 'soon'],
    ['--limit', '0'],
    ['--limit', 'many'],
  ])('refuses %s %s', async (flag, value) => {
    expect(await runCli(await folderOf(), ['history', flag, value])).toMatchObject(
      failing(2, 'Expected'),
    );
  });
});

async function overridden(): Promise<{ cwd: string; id: string; log: string }> {
  const cwd = await folderOf({
    'a.txt': 'bad\n',
    'reviewloop.config.mjs':
      "export default { criteria: { fine: ({ artifacts }) => !artifacts[0].content.includes('bad') || 'bad' } };",
  });
  await runCli(cwd, ['review', 'a.txt', '--task-text', 'x', '-q']);
  const [id = ''] = await readdir(join(cwd, '.reviewloop/runs'));
  expect(
    await runCli(cwd, ['override', id, '--reason', 'Legal has checked it', '--by', 'Ada', '-q']),
  ).toMatchObject({ code: 0 });
  return { cwd, id, log: join(cwd, '.reviewloop/audit.jsonl') };
}

describe('reviewloop audit verify', () => {
  test('finds an override of the command line, who and why, and any change of its record (FR-063, FR-064, AC-039, AC-040, RV-13)', async () => {
    const { cwd, id, log } = await overridden();
    const text = await readFile(log, 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      seq: 1,
      kind: 'override',
      who: 'Ada',
      reason: 'Legal has checked it',
      decision: 'override',
      runId: id,
      verdict: expect.stringMatching(/^(escalated|stalled|exhausted)/),
    });
    const intact = await runCli(cwd, ['audit', 'verify']);
    expect(intact).toMatchObject(
      ending(0, /^INTACT: 1 record in \.reviewloop\/audit\.jsonl\nlast: 1:[0-9a-f]{64}\n$/),
    );
    const mark = /last: (\S+)/.exec(intact.out)?.[1] ?? '';
    await writeFile(log, text.replace('Legal', 'Nobody'));
    expect(await runCli(cwd, ['audit', 'verify'])).toMatchObject(
      ending(
        1,
        /^line 1: changed: record 1 was changed after it was written\nNOT INTACT: 1 problem/,
      ),
    );
    await writeFile(log, '');
    expect(await runCli(cwd, ['audit', 'verify'])).toMatchObject(
      ending(1, `record 1 is missing, according to run ${id}`),
    );
    expect((await runCli(cwd, ['audit', 'verify', '--expect', mark])).out).toContain(
      'according to `expect`',
    );
  });

  test('gives JSON, and knows stores without a log', async () => {
    const { cwd } = await overridden();
    expect(await told(cwd, 'audit verify')).toMatchObject({
      ...{ schemaVersion: 1, intact: true, records: 1, head: { seq: 1 } },
      ...{ torn: false, problems: [] },
    });
    expect(
      await runCli(cwd, ['audit', 'verify', '--store', 'file:nowhere', '--format', 'json']),
    ).toMatchObject({ code: 0, out: expect.stringContaining('"head": null') });
  });

  test.each([
    [['audit', 'verify', '--expect', 'nonsense']],
    [['audit', 'verify', '--store', 'nonsense']],
    [['audit', 'nonsense']],
    [['audit', 'verify', '--nonsense']],
  ])('refuses %j', async (argv) => {
    expect(await runCli(await folderOf(), argv)).toMatchObject({ code: 2 });
  });

  test('shows nothing of a hostile log that a terminal would obey', async () => {
    const { cwd, log } = await overridden();
    await writeFile(log, '\u001b[2Jx\n');
    const { code, out } = await runCli(cwd, ['audit', 'verify']);
    expect(code).toBe(1);
    expect(out).not.toContain('\u001b');
  });
});
