import { expect, it } from 'vitest';
import { names } from '@/adapters/otel/names.js';
import { endAttributes } from '@/adapters/otel/span-attributes.js';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import type { Assessment } from '@/core/assessment.js';
import type { Outcome } from '@/core/outcome.js';
import { scoreText } from '@/core/score-text.js';
import { renderRun } from '@/faces/cli-kit/show/render-run.js';
import { markdownReport } from '@/faces/reports/formats/markdown-report.js';
import { modelRun } from '@/faces/reports/html/model-run.js';
import { reportRun } from '@/faces/reports/report-run.js';
import { shortScores } from '@/faces/reports/score-text.js';
import { summaryMarkdown } from '@/faces/reports/summary-markdown.js';
import {
  type AgentOutput,
  type AgentRequest,
  agentRequest,
  criterion,
  definePipeline,
  ReviewLoopError,
  SelfReviewLoop,
  textOutput,
} from '@/index.js';
import { paintFor } from '@/node/terminal/colours.js';
import { sanitise } from '@/node/terminal/sanitise.js';
import { reviewerOf } from '../support/reviewer.js';
import { newFile } from '../unit/adapters/stores/sqlite-support.js';

const judged = (id: string, score: number): Assessment =>
  score === 0
    ? { verdict: 'fail', criterion: id, score, explanation: '', gaps: [] }
    : { verdict: 'pass', criterion: id, score, explanation: '', gaps: [] };
const open = (id: string, mandatory?: false): Assessment => ({
  ...{ verdict: 'undecided', criterion: id, reason: 'who knows', decidableBy: ['person'] },
  ...(mandatory === false && { mandatory }),
});
const skipped = (id: string): Assessment => ({ verdict: 'skipped', criterion: id, reason: 'none' });
const error = new ReviewLoopError('timeout', 'late');
const errored = (id: string): Assessment => ({ verdict: 'errored', criterion: id, error });

/** What reviewers say in a run, and whether the overall score and completeness are known then. */
const runs: readonly (readonly [string, readonly Assessment[], boolean, boolean])[] = [
  ['all decided', [judged('a', 0.7), judged('requirement:1', 1)], true, true],
  ['one requirement, undecided', [judged('a', 1), open('requirement:1')], false, false],
  ['an optional one', [judged('a', 1), open('requirement:1', false)], false, false],
  [
    'one of two decided',
    [judged('a', 1), judged('requirement:1', 1), open('requirement:2')],
    false,
    false,
  ],
  ['a violated and an open one', [judged('requirement:1', 0), open('requirement:2')], false, false],
  ['an undecided check', [judged('a', 0.5), open('b'), judged('requirement:1', 0)], false, true],
  ['a failed judge', [judged('a', 1), errored('b'), judged('requirement:1', 1)], false, true],
  ['a failed judge of a requirement', [judged('a', 1), errored('requirement:1')], false, false],
  ['few checks that apply', [judged('a', 1), skipped('b'), skipped('c')], true, false],
  ['nothing but skips', [skipped('a'), skipped('b')], false, false],
];

const scores = ['overall', 'quality', 'completeness', 'correctness'] as const;
const about = {
  ...{ at: '2026-01-01T00:00:00.000Z', durationMs: 5, exitCode: 50, task: { source: 'T.md' } },
  criteria: { chosen: [], reason: '', names: {} },
  ...{ files: [], notReviewed: [], changed: [], written: [], fixers: new Set<string>() },
};

/** Reads one score of a run from every surface, as text. */
async function surfaces(
  outcome: Outcome<unknown>,
  row: Readonly<Record<string, unknown>>,
): Promise<Record<(typeof scores)[number], Record<string, string>>> {
  const report = reportRun(outcome, about);
  const page = modelRun(report, { versions: {}, calibrations: [] });
  const [best] = page.reviews;
  const { review } = outcome;
  if (best === undefined || review === undefined) throw new Error('no review');
  const show = (part: string) => part;
  const terminal = renderRun(report, { columns: undefined, paint: paintFor(false), show });
  const telemetry = endAttributes({ kind: 'review', review, durationMs: 0 })[names.score];
  const after = (text: string, name: string): string =>
    new RegExp(`${name} (all passed|unknown|[01]\\.\\d\\d)`).exec(text)?.[1] ?? 'none';
  const summary = summaryMarkdown(report, sanitise)
    .split('\n')
    .find((line) => line.startsWith('| 1 '))
    ?.split('|')
    .map((cell) => cell.replace(/\(.*\)/, '').trim());
  const number = (value: unknown): string =>
    value === undefined ? 'none' : scoreText(value as number | null);
  return Object.fromEntries(
    scores.map((name, index) => [
      name,
      {
        outcome: number(review.scores[name]),
        json: number(report.scores?.[name]),
        'json of the review': number(report.reviews[0]?.scores[name]),
        sql: number(row[name]),
        terminal: after(terminal, name),
        markdown: after(markdownReport(report), name),
        summary: summary?.[index + 2] ?? 'none',
        page: shortScores(best.scores)[name],
        ...(name === 'overall' && { telemetry: number(telemetry ?? null) }),
      },
    ]),
  ) as never;
}

it.each(runs)(
  'each score is the same on all surfaces: %s [R3-028]',
  async (_, said, known, complete) => {
    const store = sqliteStore(newFile());
    const outcome = await definePipeline<string, string>({
      produce: async () => 'text',
      reviewers: [reviewerOf('all', async () => said)],
      retries: 0,
      store,
    }).run('task');
    const [row] = await store.query('SELECT * FROM reviews WHERE run_id = ?', outcome.runId);
    await store.close();
    const read = await surfaces(outcome, row ?? {});
    for (const name of scores) {
      const values = new Set(
        // a perfect score of few checks is told in words
        Object.values(read[name]).map((value) => (value === 'all passed' ? '1.00' : value)),
      );
      expect([...values], JSON.stringify(read[name])).toHaveLength(1);
      const people = [read[name]['terminal'], read[name]['markdown'], read[name]['summary']];
      expect(people, name).toEqual(people.map(() => read[name]['page']));
    }
    expect(outcome.review?.scores.overall === null).toBe(!known);
    expect(outcome.review?.scores.completeness === null).toBe(!complete);
  },
);

it('the record of a self-review has one quality, and null for what is unknown [R3-029, R3-030]', async () => {
  const asked: string[] = [];
  const run = (content: string) =>
    new SelfReviewLoop(
      ['a', 'b'].map((id) =>
        criterion<AgentOutput, AgentRequest>(id, () => {
          asked.push(id);
          return { passed: true, score: id === 'a' ? 0.8 : 0.6, details: '' };
        }),
      ),
      { maxIterations: 1 },
    ).execute(agentRequest('- It must be short'), async () => textOutput(content));
  const { output, reviews, outcome } = await run('text');
  expect(reviews[0]?.qualityScore).toBe(outcome.review?.scores.overall);
  expect([output.qualityScore, reviews[0]?.overallScore]).toEqual(
    Array(2).fill(reviews[0]?.qualityScore),
  );
  expect(reviews[0]?.reasoning).toContain('Quality: 88% |');
  expect(asked.splice(0)).toEqual(['a', 'b']);
  const empty = await run(' ');
  expect(asked).toEqual([]);
  const [record] = empty.reviews;
  const { quality, completeness, correctness, overall } = empty.outcome.review?.scores ?? {};
  expect([record?.completenessScore, record?.correctnessScore]).toEqual([null, null]);
  expect([completeness, correctness]).toEqual([null, null]);
  expect([record?.qualityScore, record?.overallScore]).toEqual([overall, overall]);
  expect(quality).toBe(0);
});
