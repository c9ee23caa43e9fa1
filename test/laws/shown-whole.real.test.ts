import { describe, expect, it } from 'vitest';
import { modelCoverage } from '@/blocks/requirements/index.js';
import type { Diff } from '@/core/diff/diff-source.js';
import { parseDiff } from '@/core/diff/parse-diff.js';
import {
  type AgentOutput,
  definePipeline,
  type LLMProvider,
  llmCriteria,
  llmCriterion,
  panel,
  requirementCoverage,
  reviewOutput,
} from '@/index.js';
import { gitDiff } from '@/node/git/git-diff.js';
import { ChecklistGate, memoryChecklists } from '@/products/checklist-gate/index.js';
import { GateSession, gateStateMemory, QualityGate } from '@/products/quality-gate/index.js';
import { ReviewerStage, workFromDiff } from '@/products/reviewer-stage/index.js';
import { reviewCode, runCodeReview, TaskReview } from '@/products/task-review/index.js';
import { gateFolder } from '../support/gate-folder.js';
import { newRepository } from '../support/git-repository.js';
import { quality_criteria, yesJudge, yesServer } from '../support/yes-judge.js';
import { runCli } from '../unit/faces/cli/harness.js';

/** A way to ask a judge about a work of one file. Returns what it says of it. */
type Entry = (
  content: string,
  provider: LLMProvider,
) => Promise<{ approved: boolean; said: unknown }>;

/** The limit of every entry, in its own unit, is far below this work, and far above this one. */
const large = `${'A line of tea that nobody reads to its end.\n'.repeat(400)}<EVIL>\n`;
const small = 'A line of tea.\n';
const limit = 400;

const outputOf = (content: string): AgentOutput => ({
  artifacts: [{ type: 'doc', path: 'a.md', content }],
});
const diffOf = async (content: string): Promise<Diff> => {
  const lines = content.split('\n').slice(0, -1);
  const text = [
    'diff --git a/a.md b/a.md',
    'new file mode 100644',
    '--- /dev/null',
    '+++ b/a.md',
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n');
  return { base: 'a'.repeat(40), head: 'working-tree', text, files: await parseDiff(text) };
};
const question = { id: 'q', question: 'Is it fine?' };
const cut = { maxPromptTokens: limit, allowTruncated: true };
const task = { id: 'T', name: 'Write about tea' };

async function reviewed(
  reviewers: NonNullable<Parameters<typeof reviewOutput<string, AgentOutput>>[0]['reviewers']>,
  content: string,
): Promise<{ approved: boolean; said: unknown }> {
  const { decision } = await reviewOutput<string, AgentOutput>({
    task: 'tea',
    output: outputOf(content),
    reviewers,
  });
  return { approved: decision.kind === 'approve', said: decision };
}

async function staged(
  content: string,
  provider: LLMProvider,
  allowTruncated: readonly string[],
): Promise<{ approved: boolean; said: unknown }> {
  const work = await workFromDiff(await diffOf(content), {
    sessionId: 's',
    request: 'tea',
    maxFileTokens: limit,
    allowTruncated,
  });
  const result = await new ReviewerStage({ provider }).review(work);
  return { approved: result.decision === 'APPROVED', said: result };
}

async function gated(
  content: string,
  provider: LLMProvider,
  inline: { maxInlineBytes: number } | { maxInlineTokens: number } | { maxInlineFiles: number },
): Promise<{ approved: boolean; said: unknown }> {
  const root = gateFolder({ 'a.md': content });
  const gate = new QualityGate({ root, provider, ...inline });
  const job = {
    name: 'j',
    steps: [
      {
        id: 'a',
        outputs: { o: 'file' as const },
        reviews: [{ run_each: 'step', quality_criteria }],
      },
    ],
  };
  const session = new GateSession({ job, gate, state: gateStateMemory(), mode: 'external' });
  const step = await session.finishedStep({ stepId: 'a', outputs: { o: 'a.md' } });
  const report = await gate.review({
    reviews: [{ run_each: 'step', quality_criteria }],
    outputs: { o: 'a.md' },
  });
  return {
    approved: step.outcome === 'approved' || report.outcome === 'approved',
    said: [step, report],
  };
}

const entries: Readonly<Record<string, Entry>> = {
  llmCriterion: (content, provider) =>
    reviewed([llmCriterion({ ...question, ...cut, provider })], content),
  'llmCriterion that refuses': (content, provider) =>
    reviewed([llmCriterion({ ...question, maxPromptTokens: limit, provider })], content),
  'llmCriteria in a batch': (content, provider) =>
    reviewed(
      llmCriteria([question, { ...question, id: 'r' }], { mode: 'batch', ...cut, provider }),
      content,
    ),
  panel: (content, provider) =>
    reviewed([panel([llmCriterion({ ...question, ...cut, provider })], { id: 'p' })], content),
  definePipeline: async (content, provider) => {
    const outcome = await definePipeline<string, AgentOutput>({
      produce: async () => outputOf(content),
      reviewers: [llmCriterion({ ...question, ...cut, provider })],
    }).run('tea');
    return { approved: outcome.approved, said: outcome };
  },
  requirementCoverage: (content, provider) =>
    reviewed(
      [
        requirementCoverage<AgentOutput, string>({
          extractRequirements: async () => ['Tea is named'],
          checkRequirementCovered: async (requirement) => ({
            requirement,
            source: 'explicit',
            covered: false,
            state: 'unsure',
            coverageDetails: '',
            confidence: 0.4,
          }),
          judge: modelCoverage({ provider, maxPromptTokens: limit }),
        }),
      ],
      content,
    ),
  ReviewerStage: (content, provider) => staged(content, provider, ['a.md']),
  'ReviewerStage that refuses': (content, provider) => staged(content, provider, []),
  TaskReview: async (content, provider) => {
    const repository = newRepository();
    const committed: unknown[] = [];
    const { run } = await new TaskReview({
      diff: gitDiff({ cwd: repository.cwd }),
      provider,
      review: { diffBytes: limit },
      execute: async () => repository.write('a.md', content),
      commit: async () => void committed.push(content),
    }).run(task);
    return { approved: run.approved || committed.length > 0, said: run };
  },
  reviewCode: async (content, provider) => {
    const change = await diffOf(content);
    const config = { provider, diffBytes: limit };
    const { verdict } = await reviewCode(task, config, { change });
    const [tuple] = await runCodeReview(task, config, { change });
    return { approved: verdict === 'passed' || tuple === 'passed', said: [verdict, tuple] };
  },
  'gates with bytes': (content, provider) => gated(content, provider, { maxInlineBytes: limit }),
  'gates with tokens': (content, provider) => gated(content, provider, { maxInlineTokens: limit }),
  ChecklistGate: async (content, provider) => {
    const gate = new ChecklistGate({
      phase: 'plan-structure',
      decompose: () => [{ scope: '*', check: 'The whole is fine.', severity: 'MUST' }],
      store: memoryChecklists(),
      provider,
    });
    // the limit of a checklist is that of a judge, 100 000 tokens
    const { outcome } = await gate.run(outputOf(content.repeat(content === small ? 1 : 40)));
    return { approved: outcome.approved, said: outcome };
  },
};

/** A judge whose prompt is cut without a word, and whose yes counts. */
const saboteur: Entry = async (content, provider) => {
  const { text } = await provider.generate({
    messages: [{ role: 'user', content: content.slice(0, limit) }],
    signal: new AbortController().signal,
  });
  return { approved: text.includes('true'), said: text };
};

/** What a judge was not shown whole is not approved by its yes. */
async function nothingCutIsApproved(entry: Entry): Promise<void> {
  const provider = yesJudge();
  const seen = await entry(large, provider);
  const evil = provider.requests.some(({ messages }) =>
    messages.some(({ content }) => content.includes('<EVIL>')),
  );
  expect(seen.approved && !evil, 'approved what was shown in part').toBe(false);
  expect(seen.approved, JSON.stringify(seen.said)).toBe(false);
}

describe('a yes about a part approves nothing', () => {
  it.each(Object.entries(entries))('of %s', async (_, entry) => {
    await nothingCutIsApproved(entry);
    const { approved, said } = await entry(small, yesJudge());
    expect(approved, JSON.stringify(said)).toBe(true);
  });

  it('is broken by a judge whose prompt is cut without a word', async () => {
    await expect(nothingCutIsApproved(saboteur)).rejects.toThrow('approved what was shown in part');
  });

  it('of tasks run, until diff_bytes is larger', async () => {
    const { flags, close } = await yesServer();
    const repository = newRepository();
    repository.write('tasks.md', '# Tasks\n\n### TASK-001: Add tea\n- [ ] water\n');
    repository.write('large.txt', large);
    repository.write('reviewloop.config.json', '{}');
    repository.commit('first');
    const argv = ['tasks', 'run', '--tasks', 'tasks.md', '--task', 'TASK-001', '--exec'];
    const run = (...more: readonly string[]) =>
      runCli(repository.cwd, [...argv, 'cp large.txt tea.txt', ...flags, ...more]);
    repository.write('reviewloop.config.json', '{"executor":{"diff_bytes":300}}');
    repository.commit('limit');
    const part = await run();
    expect(part.code, part.out + part.err).toBe(50);
    expect(part.out).toMatch(/only \d+ of \d+ bytes were shown \(executor\.diff_bytes: 300\)/);
    expect(part.out).toMatch(/next: .* --anew # after you raised executor\.diff_bytes/);
    expect(part.out).not.toContain('asks the reviewers again');
    expect(repository.git('log', '--format=%s')).toBe('limit\nfirst');
    repository.write('reviewloop.config.json', '{"executor":{"diff_bytes":100000}}');
    repository.git('commit', '-qm', 'larger', '--', 'reviewloop.config.json');
    const whole = await run('--anew');
    expect(whole.code, whole.out + whole.err).toBe(0);
    await close();
  });
});
