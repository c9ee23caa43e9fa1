import { describe, expect, it } from 'vitest';
import { autonomous } from '@/blocks/pipeline/trust-presets.js';
import { renderRun } from '@/faces/cli-kit/show/render-run.js';
import { runReport } from '@/faces/reports/index.js';
import { RunReportSchema } from '@/faces/reports/run-report.js';
import { summaryMarkdown } from '@/faces/reports/summary-markdown.js';
import { voteRows } from '@/faces/reports/vote-rows.js';
import { definePipeline, llmCriteria } from '@/index.js';
import { paintFor } from '@/node/terminal/colours.js';
import { checklistJudge } from '../../../support/checklist-judge.js';

interface Page {
  readonly title: string;
  readonly body: string;
}

const judge = (id: string) =>
  checklistJudge([{ question: /./, found: /oolong/, reason: 'not explained' }], { id });

async function report() {
  const outcome = await definePipeline<string, Page>({
    produce: () => ({ title: 'tea', body: 'oolong' }),
    address: (page) => ({ ...page, body: 'black tea' }),
    reviewers: llmCriteria<Page, string>([
      { id: 'title', question: 'Is it explained?', scope: ({ title }) => title },
      { id: 'body', question: 'Is it explained?', scope: ({ body }) => body },
    ]),
    provider: judge('a'),
    confirmWith: [judge('b'), judge('c'), judge('d')],
    trust: autonomous,
  }).run('tea');
  return runReport(outcome, { task: 'tea' });
}

describe('votes in reports', () => {
  it('say who voted what, on which text: as JSON, as text and as Markdown', async () => {
    const made = await report();
    expect(voteRows(made.reviews)).toEqual([
      { criterion: 'title', text: 'first', reviews: '1 to 2', votes: 'pass: a, b, c' },
      { criterion: 'body', text: 'first', reviews: '1', votes: 'fail: a' },
      { criterion: 'body', text: 'edited once', reviews: '2', votes: 'pass: a, b, c, d' },
    ]);
    const json = RunReportSchema.parse(JSON.parse(JSON.stringify(made)));
    expect(json.reviews[0]?.assessments[1]?.votes).toMatchObject({
      pass: 0,
      fail: 1,
      edits: 0,
      by: [{ judge: 'a', passed: false }],
    });
    const show = (part: string) => part;
    const text = renderRun(made, { columns: 100, paint: paintFor(false), show }, ['judges']);
    expect(text).toMatch(
      /votes\n {2}title +first +pass: a, b, c\n {2}body +edited once +pass: a, b, c, d\n/,
    );
    expect(summaryMarkdown(made, (value) => value)).toContain(
      '| body | edited once | 2 | pass: a, b, c, d |',
    );
  });

  it('name the model, and calls without a verdict', () => {
    const votes = {
      pass: 1,
      fail: 1,
      failed: 2,
      agreement: 0,
      by: [
        { judge: 'a', model: 'm', passed: true },
        { judge: 'b', passed: false },
      ],
    };
    const assessments = [{ criterion: 'c', verdict: 'fail' as const, text: '', votes }];
    expect(voteRows([{ iteration: 1, assessments }])).toEqual([
      {
        criterion: 'c',
        text: '',
        reviews: '1',
        votes: 'pass: a m; fail: b; 2 calls without a verdict',
      },
    ]);
  });
});

it('a report takes any task of a pipeline, as text [R3-101]', async () => {
  const pipeline = definePipeline({
    produce: async (task: { topic: string }) => task.topic,
    criteria: { short: (text) => text.length < 9 },
  });
  const task = { topic: 'tea' };
  const outcome = await pipeline.run(task);
  expect(runReport(outcome, { task }).task.text).toBe('{"topic":"tea"}');
  expect(runReport(outcome, { task: 'tea' }).task.text).toBe('tea');
  expect(runReport(outcome).task).not.toHaveProperty('text');
});
