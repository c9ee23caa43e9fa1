import Libsql from 'libsql';
import {
  type AgentOutput,
  agentRequest,
  BaseAgent,
  BaseAgentReviewCriteria,
  criterion,
  definePipeline,
  firstOf,
  type Gap,
  limiter,
  noProgress,
  type Outcome,
  type ReviewCriterion,
  reviewOutput,
  runAll,
  SelfReviewLoop,
  textOutput,
  thresholds,
} from 'reviewloop';
import { sqliteStore } from 'reviewloop/stores/sqlite';
import * as z from 'zod';

// a pipeline of plain functions, with the types inferred
const article = definePipeline({
  produce: async (topic: string) => `# ${topic}`,
  address: async (text, gaps) => `${text}\n${gaps.map((gap) => gap.description).join('\n')}`,
  criteria: { 'has-title': (text) => text.startsWith('# ') || 'no title' },
});
const outcome: Outcome<string> = await article.run('tea');
if (outcome.approved) outcome.output.trim();
else console.log(outcome.reason, outcome.output?.trim());

// schemas as the source of the types
const report = definePipeline({
  task: z.object({ topic: z.string() }),
  output: z.object({ text: z.string(), words: z.number() }),
  produce: async (task) => ({ text: task.topic, words: 1 }),
  criteria: { long: (out) => out.words > 300 || `only ${out.words} words` },
  policy: firstOf(noProgress(), thresholds({ quality: 0.8 })),
  limiter: limiter({ concurrency: 4 }),
});
for await (const result of runAll(report, [{ topic: 'tea' }], { runIdOf: (task) => task.topic }))
  console.log(result.outcome.status);

const needsSources = criterion(
  'sources',
  (out: { text: string; sources: string[] }) => out.sources.length > 0 || 'no sources',
);
definePipeline<string, { text: string }>({
  produce: async (text) => ({ text }),
  // @ts-expect-error the output of the pipeline has no sources
  reviewers: [needsSources],
});

// an agent with an output type of its own
interface SqlOutput {
  sql: string;
}
class SqlCriteria extends BaseAgentReviewCriteria<SqlOutput, string> {
  agentId = 'sql';
  criteria: ReviewCriterion<SqlOutput, string>[] = [
    criterion('no-star', (out: SqlOutput) => !/select \*/i.test(out.sql) || 'SELECT *'),
    {
      id: 'limit',
      name: 'Limit',
      description: 'has LIMIT',
      severity: 'major',
      category: 'missing',
      validate: async (output, request, context) => ({
        passed: /limit/i.test(output.sql),
        score: 1,
        details: request + String(context.acceptanceCriteria?.length),
        suggestedFix: output.sql ? 'add LIMIT' : undefined,
      }),
    },
  ];
  protected override textOf(output: SqlOutput): string {
    return output.sql;
  }
}
class SqlAgent extends BaseAgent<SqlOutput, string> {
  protected override getReviewCriteria(): SqlCriteria {
    return new SqlCriteria();
  }
  protected override async produce(request: string): Promise<SqlOutput> {
    return { sql: request };
  }
}
const query: Outcome<SqlOutput> = await new SqlAgent().run('all users');
if (query.status === 'suspended') console.log(query.requests[0].question);

// the loop as the self-review framework has it
const hasFiles = criterion('files', (out: AgentOutput) => out.artifacts.length > 0 || 'no files');
const loop = new SelfReviewLoop([hasFiles], { maxIterations: 2 });
const { output, reviews } = await loop.execute(
  agentRequest('write a page'),
  async () => textOutput('hello'),
  async (current: AgentOutput, gaps: Gap[]) => ({
    ...current,
    routingHints: { notes: gaps.map((gap) => gap.description).join() },
  }),
);
console.log(output.artifacts.length, reviews.at(-1)?.overallScore?.toFixed(2));

const review = await reviewOutput({
  task: 'a page',
  output: textOutput('x'),
  criteria: { any: (out) => out.artifacts.length > 0 || 'none' },
});
console.log(review.decision.kind);

/** A connection that the caller opened, with the declarations of its own package. */
export const overConnection = sqliteStore(new Libsql(':memory:'));
