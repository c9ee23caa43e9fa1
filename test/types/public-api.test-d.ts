import type { AuditSink } from 'reviewloop';
import { runAll } from 'reviewloop';
import { answerWith, filePerson, type HumanGate, terminalPerson, webhook } from 'reviewloop/inbox';
import { gitDiff } from 'reviewloop/node';
import {
  type DiffFile,
  type DiffSource,
  type FittedDiff,
  fitDiff,
  parseDiff,
  redactJson,
  redactSecretsAsync,
} from 'reviewloop/ports';
import { fromScorer } from 'reviewloop/reviewers';
import { type AuditVerification, fileAudit, verifyAudit } from 'reviewloop/stores/file';
import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { fileVerdicts } from '@/adapters/stores/file/index.js';
import {
  type AgentOutput,
  agentRequest,
  BaseAgent,
  BaseAgentReviewCriteria,
  type Criterion,
  criterion,
  definePipeline,
  firstOf,
  type Gap,
  GapDetector,
  type HumanRequest,
  limiter,
  memoryVerdicts,
  noProgress,
  type Outcome,
  type Pipeline,
  type Policy,
  QualityScorer,
  type Review,
  type ReviewCriterion,
  type Reviewer,
  reviewOutput,
  SelfReviewLoop,
  textOutput,
  thresholds,
  type VerdictStore,
} from '@/index.js';
import { type StoredVerdict, verdictKey } from '@/ports/index.js';
import { mergeImprovements } from '@/products/self-review/index.js';

declare function writeArticle(topic: string): Promise<string>;
declare function rewrite(text: string, notes: string[]): Promise<string>;

interface SqlOutput {
  sql: string;
}

describe('what a user writes', () => {
  it('a scoped check sees what its scope selects', () => {
    interface Page {
      readonly rows: readonly string[];
      readonly title: string;
    }
    const rows = criterion('rows', (rows) => rows.length > 0, { scope: (page: Page) => page.rows });
    expectTypeOf(rows).toExtend<Criterion<Page, unknown>>();
    criterion<Page>('title', (page) => page.title !== '', {
      scope: (page) => ({ ...page, rows: [] }),
    });
    // @ts-expect-error the check sees the rows, not the page
    criterion('rows', (page: Page) => page.title !== '', { scope: (page: Page) => page.rows });
  });

  it('produce and address may be synchronous, and must return an output', () => {
    const pipeline = definePipeline({
      produce: (topic: string) => `About ${topic}`,
      address: (text, gaps) => `${text}${gaps.length}`,
      criteria: { short: (text) => text.length < 80 },
    });
    expectTypeOf(pipeline).toEqualTypeOf<Pipeline<string, string>>();
    definePipeline({
      produce: (topic: string) => topic,
      // @ts-expect-error the output is a text
      address: (_text, gaps) => gaps.length,
      criteria: { short: (text: string) => text.length < 80 },
    });
  });

  it('the first screen infers task and output', () => {
    const article = definePipeline({
      produce: writeArticle,
      address: (text, gaps) =>
        rewrite(
          text,
          gaps.map((gap) => gap.description),
        ),
      criteria: { 'has-title': (text) => text.startsWith('# ') || 'no title' },
    });
    expectTypeOf(article).toEqualTypeOf<Pipeline<string, string>>();
    expectTypeOf(article.run).returns.resolves.toEqualTypeOf<Outcome<string>>();
  });

  it('an outcome has its output where it is approved, and its requests where it is suspended', async () => {
    const outcome = {} as Outcome<string>;
    if (outcome.approved) expectTypeOf(outcome.output).toEqualTypeOf<string>();
    else if (outcome.status === 'suspended')
      expectTypeOf(outcome.requests[0]).toEqualTypeOf<HumanRequest>();
    else if (outcome.status === 'accepted')
      expectTypeOf(outcome.acceptance.by).toEqualTypeOf<string>();
    else expectTypeOf(outcome.output).toEqualTypeOf<string | undefined>();
  });

  it('criteria, contexts and batches know task and output', () => {
    const pipeline = definePipeline({
      produce: async (task: { topic: string }, context) => ({
        text: context.lessons,
        words: task.topic.length,
      }),
      address: async (output, gaps, context) => ({
        ...output,
        text: context.prompt + context.task.topic + String(gaps.length),
      }),
      criteria: {
        long: (output, task) => output.words > 300 || `only ${output.words} for ${task.topic}`,
        short: {
          severity: 'minor',
          check: (output) => output.words < 900 || 'too long',
          fix: (output) => ({ ...output, words: 900 }),
        },
      },
      limiter: limiter({ concurrency: 8 }),
      policy: firstOf(noProgress(thresholds())),
    });
    expectTypeOf(runAll(pipeline, [{ topic: 'x' }])).toExtend<
      AsyncIterable<{ outcome: Outcome<{ text: string; words: number }>; done: number }>
    >();
  });

  it('schemas give the types', () => {
    const pipeline = definePipeline({
      task: z.object({ topic: z.string() }),
      output: z.object({ words: z.number() }),
      produce: async (task) => ({ words: task.topic.length }),
      criteria: { long: (output) => output.words > 300 },
    });
    expectTypeOf(pipeline.run).parameter(0).toEqualTypeOf<{ topic: string }>();
  });

  it('a reviewer that needs more than the output is refused, one that needs less is taken', () => {
    const needsSources = criterion(
      'sources',
      (output: { text: string; sources: string[] }) => output.sources.length > 0 || 'no sources',
    );
    definePipeline<string, { text: string }>({
      produce: async (text) => ({ text }),
      // @ts-expect-error the output of this pipeline has no sources
      reviewers: [needsSources],
    });
    const wide: Reviewer<unknown, { text: string }> = {
      id: 'w',
      version: '1',
      tier: 'code',
      review: async ({ output }) => [
        { verdict: 'pass', criterion: 'w', score: 1, explanation: output.text, gaps: [] },
      ],
    };
    definePipeline<string, { text: string; words: number }>({
      produce: async (text) => ({ text, words: 1 }),
      reviewers: [wide],
    });
    expectTypeOf(needsSources).toEqualTypeOf<
      Criterion<{ text: string; sources: string[] }, unknown>
    >();
  });

  it('address must return the whole output', () => {
    definePipeline({
      produce: async (text: string) => ({ text }),
      // @ts-expect-error a text is no output of this pipeline
      address: async () => 'text',
      criteria: { a: () => true },
    });
  });

  it('criteria and agents take any output type', () => {
    class SqlCriteria extends BaseAgentReviewCriteria<SqlOutput, string> {
      agentId = 'sql';
      criteria: ReviewCriterion<SqlOutput, string>[] = [
        criterion('no-star', (output: SqlOutput) => !/select \*/i.test(output.sql) || 'SELECT *'),
        {
          id: 'limit',
          name: 'Limit',
          description: 'has LIMIT',
          severity: 'major',
          category: 'missing',
          async validate(output, request, context) {
            return {
              passed: /limit/i.test(output.sql),
              score: 1,
              details: request + String(context.acceptanceCriteria?.length),
              suggestedFix: output.sql ? 'x' : undefined,
            };
          },
        },
      ];
      protected override textOf(output: SqlOutput) {
        return output.sql;
      }
    }
    class Sql extends BaseAgent<SqlOutput, string> {
      protected getReviewCriteria() {
        return new SqlCriteria();
      }
      protected async produce(request: string) {
        return { sql: request };
      }
    }
    expectTypeOf(new Sql().run).returns.resolves.toEqualTypeOf<Outcome<SqlOutput>>();
    expectTypeOf(new Sql().execute).returns.resolves.toEqualTypeOf<SqlOutput>();
    expectTypeOf(new GapDetector(new SqlCriteria()).detect).parameter(0).toEqualTypeOf<SqlOutput>();
  });

  it('the loop of seed 004 takes bare criteria', () => {
    const loop = new SelfReviewLoop([
      criterion('files', (output: AgentOutput) => output.artifacts.length > 0 || 'none'),
    ]);
    expectTypeOf(
      loop.execute(
        agentRequest('x'),
        async () => textOutput('y'),
        async (output) => output,
      ),
    ).resolves.toExtend<{ output: AgentOutput; outcome: Outcome<AgentOutput> }>();
  });

  it('diffs, people and the audit log have the types they promise', () => {
    expectTypeOf(gitDiff).returns.toEqualTypeOf<DiffSource>();
    expectTypeOf(fitDiff).returns.toEqualTypeOf<FittedDiff>();
    expectTypeOf(parseDiff).returns.resolves.toEqualTypeOf<DiffFile[]>();
    expectTypeOf(terminalPerson).returns.toEqualTypeOf<HumanGate>();
    expectTypeOf(filePerson).returns.toEqualTypeOf<HumanGate>();
    expectTypeOf(fileAudit).returns.toEqualTypeOf<AuditSink>();
    expectTypeOf(verifyAudit).returns.resolves.toEqualTypeOf<AuditVerification>();
    expectTypeOf(webhook).returns.parameter(0).toEqualTypeOf<HumanRequest>();
    expectTypeOf(redactSecretsAsync).returns.resolves.toEqualTypeOf<string>();
    expectTypeOf(redactJson<{ a: string }>).returns.toEqualTypeOf<{ a: string }>();
    const gate = terminalPerson({ by: 'Ada' });
    const typed = definePipeline({
      produce: async (task: string) => task.length,
      criteria: { any: () => true },
    });
    expectTypeOf(async () =>
      answerWith(typed, await typed.run('x'), gate),
    ).returns.resolves.toEqualTypeOf<Outcome<number>>();
  });

  it('the other public functions have the types they promise', () => {
    expectTypeOf(
      reviewOutput({
        task: 'pr',
        output: textOutput('x'),
        criteria: { any: (output) => output.artifacts.length > 0 || 'none' },
      }),
    ).resolves.toEqualTypeOf<Review>();
    expectTypeOf(
      fromScorer(
        async ({ output }: { output: string; input: unknown }) => ({
          score: output.length > 3 ? 1 : null,
        }),
        { id: 's', threshold: 0.5, version: '1' },
      ),
    ).toExtend<Reviewer<unknown, string>>();
    expectTypeOf(mergeImprovements).returns.toEqualTypeOf<AgentOutput>();
    expectTypeOf(new QualityScorer().score).returns.toHaveProperty('overall');
    expectTypeOf(thresholds()).toEqualTypeOf<Policy>();
    expectTypeOf<Gap['severity']>().toEqualTypeOf<'critical' | 'major' | 'minor'>();
    expectTypeOf(memoryVerdicts({ max: 1 })).toEqualTypeOf<VerdictStore>();
    expectTypeOf<VerdictStore['get']>().returns.resolves.toEqualTypeOf<StoredVerdict | undefined>();
    expectTypeOf(verdictKey).parameter(0).toEqualTypeOf<StoredVerdict['about']>();
    expectTypeOf<StoredVerdict['assessments'][number]['verdict']>().toEqualTypeOf<
      // @ts-expect-error a verdict never carries an error
      'pass' | 'fail' | 'skipped' | 'errored'
    >();
    expectTypeOf(fileVerdicts).returns.toEqualTypeOf<VerdictStore>();
  });
});
