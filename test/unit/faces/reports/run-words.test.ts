import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import { gap } from '@/core/gap.js';
import { agentReport, renderReport } from '@/faces/cli-kit/show/render-report.js';
import { renderRun } from '@/faces/cli-kit/show/render-run.js';
import { junitReport } from '@/faces/reports/formats/junit-report.js';
import { markdownReport } from '@/faces/reports/formats/markdown-report.js';
import { sarifReport } from '@/faces/reports/formats/sarif-report.js';
import { htmlReport } from '@/faces/reports/html/html-report.js';
import { modelRequirements, modelRun } from '@/faces/reports/html/model-run.js';
import { runReport } from '@/faces/reports/report-run.js';
import type { AssessmentReport } from '@/faces/reports/run-report.js';
import { costText, openQuestions, runWords, taskTitle } from '@/faces/reports/run-words.js';
import { overallText } from '@/faces/reports/score-text.js';
import { summaryMarkdown } from '@/faces/reports/summary-markdown.js';
import { verdictCounts } from '@/faces/reports/verdict-counts.js';
import { headline, verdictOf } from '@/faces/reports/verdict-words.js';
import {
  gapLives,
  gapTotals,
  returnedVersion,
  versionText,
} from '@/faces/reports/version-words.js';
import { definePipeline, type Reviewer } from '@/index.js';
import { paintFor } from '@/node/terminal/colours.js';
import { widthOf } from '@/node/terminal/table.js';
import {
  calm,
  endedReport,
  endedReports as runs,
  unanswered,
} from '../../../support/report-ends.js';
import { madeReport } from '../../../support/report-runs.js';
import { emptyDirectory } from '../../adapters/stores/file-support.js';

const base = endedReport;
const show = (part: string): string => `reviewloop runs run-1${part}`;
const screen = { columns: undefined, paint: paintFor(false), show };

/** A text as plain words: without the marks and line breaks of its format. */
const plain = (page: string): string =>
  page
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&#34;', '"')
    .replace(/\\(.)/g, '$1')
    .replace(/\s+/g, ' ');

describe.each(runs)('a run %s', (_, report, word) => {
  const { verdict, why, title, version } = runWords(report);

  it('says the same sentence, version and commands on every face [R3-084]', () => {
    expect(verdict).toBe(word);
    const faces = {
      terminal: renderReport(report, screen),
      run: renderRun(report, screen),
      agent: agentReport(report),
      summary: summaryMarkdown(report, (value) => value),
      comment: markdownReport(report),
      junit: junitReport(report),
      sarif: sarifReport(report),
      html: htmlReport(report),
    };
    const capitals = new Set(['terminal', 'run', 'agent']);
    for (const [face, page] of Object.entries(faces)) {
      // a case that passed has no message
      if (face === 'junit' && verdictOf(report).tone === 'good') continue;
      const said = plain(page);
      expect(said, face).toContain(capitals.has(face) ? headline(report) : verdict);
      if (face !== 'html') expect(said, face).toContain(plain(why));
      if (face !== 'agent') expect(said, face).toContain(title);
    }
    for (const face of ['run', 'summary', 'comment'] as const)
      expect(plain(faces[face]), face).toContain(plain(versionText(version)));
    for (const face of ['terminal', 'summary', 'comment'] as const)
      for (const { command } of report.next ?? [])
        expect(plain(faces[face]), face).toContain(plain(command));
    const model = modelRun(report, { versions: {}, calibrations: [] });
    expect(model).toMatchObject({ title, verdict: { word: verdict, why } });
    expect(model.next.map(({ command }) => command)).toEqual(
      (report.next ?? []).map(({ command }) => command),
    );
    expect(model.back.why).toContain(version?.why ?? '');
  });

  it('has no code of a program in its words, and one reason [R3-084]', () => {
    expect(`${verdict} ${why}`).not.toMatch(/exhausted|inconclusive|suspended|undefined|null|NaN/);
    const { tone } = verdictOf(report);
    expect(tone === 'good').toBe(report.exitCode === 0 && !report.checksPassed);
  });

  it('fits a terminal of 80 by 24 [R3-084]', () => {
    for (const page of [
      renderReport(report, { ...screen, columns: 80, folder: '.reviewloop/runs/run-1' }),
      renderRun(report, { ...screen, columns: 80, folder: '.reviewloop/runs/run-1' }),
    ]) {
      const lines = page.trimEnd().split('\n');
      expect(lines.length, page).toBeLessThanOrEqual(23);
      for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(80);
    }
  });
});

const undecided: Reviewer<string, string> = {
  ...{ id: 'tone', version: '1', tier: 'code' },
  review: async () => [
    {
      ...{ verdict: 'undecided', criterion: 'tone', reason: 'no check could decide it' },
      ...{ question: 'Is it kind?', decidableBy: ['person'] },
    },
  ],
};
const boom = () => {
  throw new Error('boom');
};

/** Pipelines whose runs end in each way, and what a person says. */
const ends: readonly (readonly [string, object, string?])[] = [
  ['approved', { criteria: { fine: () => true } }],
  ['stalled', { criteria: { fine: () => true, long: () => 'too short' } }],
  ['inconclusive', { criteria: { fine: () => true, boom } }],
  ['inconclusive', { criteria: { fine: () => true }, reviewers: [undecided] }],
  ['suspended', { criteria: { fine: () => true }, human: { policy: 'require' } }],
  ['rejected', { criteria: { fine: () => true }, human: { policy: 'require' } }, 'reject'],
  ['accepted', { criteria: { long: () => 'too short' } }, 'override'],
];

it.for(ends)(
  'SQL says of a run that is %s what every face says',
  async ([status, options, said]) => {
    const store = sqliteStore(join(emptyDirectory(), 'runs.db'));
    const pipeline = definePipeline<string, string>({
      ...{ produce: () => 'tea', address: (text: string) => `${text}!`, store },
      ...options,
    });
    const ended = await pipeline.run('tea');
    const { runId, version: digest = '' } = ended;
    const by = { by: 'Ann', reason: 'the image follows on Monday' };
    const request = ended.status === 'suspended' ? ended.requests[0] : undefined;
    const outcome =
      said === 'override'
        ? await pipeline.override({ runId, digest }, by)
        : said === 'reject' && request !== undefined
          ? await pipeline.answer({ runId, id: request.id, digest }, { kind: 'reject', ...by })
          : ended;
    const report = runReport(outcome, { task: 'tea' });
    expect(report.status).toBe(status);
    const rows = (sql: string) => store.query(sql, runId);
    const [run] = await rows('SELECT status, code FROM runs WHERE run_id = ?');
    expect(run).toEqual({ status: report.status, code: report.code });
    for (const review of report.reviews) {
      const { iteration, decision, scores, counts, gaps } = review;
      const of = `WHERE run_id = ? AND iteration = ${iteration}`;
      expect(await rows(`SELECT decision, overall, judged, total FROM reviews ${of}`)).toEqual([
        {
          decision: decision.kind,
          overall: scores.overall,
          judged: scores.judged,
          total: scores.total,
        },
      ]);
      const verdicts = await rows(`SELECT verdict FROM assessments ${of}`);
      expect(verdictCounts(verdicts as unknown as AssessmentReport[])).toEqual(counts);
      expect(await rows(`SELECT id FROM gaps ${of} AND fixed = 0`)).toHaveLength(gaps.length);
    }
    await store.close();
  },
);

it('tells an outage once: its tries, and when they began', () => {
  const down = { ...calm, status: 'inconclusive', failures: [unanswered, unanswered] };
  const { why, outage } = runWords(down);
  expect(outage?.text).toBe('3 tries, 14:02:11 to 14:05:40 UTC');
  expect(why).toContain(`No answer in ${outage?.text}.`);
  const page = renderReport(down, { ...screen, columns: 80 });
  expect(page).toMatch(
    / try 1 +at 0.0 s +503 overloaded\n +try 2 +at 2.0 s .*\n +try 3 +at 209.0 s /,
  );
  expect(page.match(/the service is down/g)).toHaveLength(1);
});

it('counts a requirement whose judge failed, and shows it without a verdict', () => {
  const failures = ['R8', 'R9'].map((id) => ({
    ...unanswered,
    id,
    criterion: `requirement:${id}`,
  }));
  const total = base.coverage.length + failures.length;
  const down = { ...base, failures };
  expect(renderReport(down, { ...screen, columns: 80 })).toContain(`${total} requirements`);
  expect(renderRun(down, { ...screen, columns: undefined })).toMatch(/, 2 without a verdict\)/);
  expect(markdownReport(down)).toContain(`${total} requirements`);
  const rows = modelRequirements(down);
  expect(rows).toHaveLength(total);
  expect(rows.at(-1)).toMatchObject({ id: 'R9', state: 'no verdict' });
});

it('many gaps and questions end in the commands that show the rest [R3-084]', () => {
  const many = madeReport({ gaps: 120, versions: 1 });
  const page = renderReport(
    { ...many, next: base.next, undecided: Array(40).fill(many.undecided[0]) },
    {
      ...screen,
      columns: 80,
    },
  );
  expect(page.split('\n').length).toBeLessThanOrEqual(24);
  expect(page).toMatch(/\n {2}\d+ more: reviewloop runs run-1\n/);
  expect(page).toMatch(/\n {2}\d+ more, and fixes: reviewloop runs run-1 --gaps\n/);
});

const titles = [
  ['the first heading', { text: 'Intro\n\n## Bakery *website* ##\ntext' }, 'Bakery *website*'],
  ['else the first line', { text: '\n\n- Show prices\n- Show tea' }, 'Show prices'],
  ['cut at 60 characters', { text: `# ${'😀'.repeat(80)}` }, `${'😀'.repeat(59)}…`],
  ['a name in data', { text: '{"id":1,"description":"Write about tea"}' }, 'Write about tea'],
  ['data without a name', { text: '{"a":1}' }, '{"a":1}'],
  ['data that is none', { text: '{broken' }, '{broken'],
  ['else where it comes from', { text: '\u0000 --- \n' }, 'TASK.md'],
  ['nothing', {}, 'TASK.md'],
] as const;

it.each(titles)('a task is called by %s', (_, task, title) => {
  expect(taskTitle({ task: { source: 'TASK.md', ...task } })).toBe(title);
});

it('a question has its requirement, its place in the task and the best passage first', () => {
  expect(openQuestions(base)).toEqual([
    {
      id: 'R2',
      text: 'The page must show prices.',
      must: true,
      why: 'no check could decide it',
      place: 'TASK.md:3',
      passages: [{ file: 'site/index.html', line: 9, quote: 'fair prices' }],
    },
  ]);
});

it('gives the numbers of the other versions as the reason for the best', () => {
  expect(versionText(returnedVersion(base))).toMatch(
    /^version 4 of 4, the best: 3 gaps; version 1 has 12 gaps, version 2 has 9 gaps, /,
  );
  const [first, second] = madeReport({ versions: 2 }).reviews;
  if (first === undefined || second === undefined) throw new Error('no reviews');
  const better = { ...second, best: false, gaps: [], assessments: [] };
  const reviews = [{ ...first, best: true, gaps: first.gaps.slice(0, 1) }, better];
  expect(returnedVersion({ ...base, reviews })?.why).toBe(
    '1 gap; version 2 has 0 gaps and no answer to 1 check',
  );
});

it('a gap whose place is gone is no longer there: neither open nor fixed', () => {
  const made = madeReport({ versions: 3 });
  const named = { ...gap('The image is missing'), id: 'image' };
  const [first, second, third] = made.reviews;
  if (first === undefined || second === undefined || third === undefined) throw new Error('none');
  const reviews = [
    { ...first, gaps: [named], fixed: [] },
    { ...second, gaps: [], fixed: [], closed: [{ ...named, lifecycle: 'gone' as const }] },
    { ...third, gaps: [{ ...named, lifecycle: 'regressed' as const }], fixed: [] },
  ];
  expect(gapLives({ reviews })[0]?.states).toEqual(['found', 'no longer there', 'came back']);
  const ended = reviews.slice(0, 2).map((review, index) => ({ ...review, best: index === 1 }));
  expect(gapTotals({ reviews: ended })).toBe('1 found: 1 no longer there, 0 open');
});

it('says an unknown price once, and nothing of models that were not asked', () => {
  expect(costText({ inputTokens: 2_000, outputTokens: 970 })).toBe('2,970 tokens, price unknown');
  expect(costText({ totalTokens: 10, costUsd: 0.5 })).toBe('10 tokens, $0.50');
  expect(costText({})).toBe('');
});

it.each([
  [2 / 3, '0.67'],
  [0.757, '0.76'],
  [0.5599999999999999, '0.56'],
  [0.999, '0.99'],
  [1, '1.00'],
  [0, '0.00'],
  [null, 'unknown'],
])('%s is shown rounded to two decimals, as %s [R2-088]', (overall, text) => {
  expect(overallText({ overall, judged: 4, total: 4 })).toBe(text);
});
