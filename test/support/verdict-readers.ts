import { readFences } from '@/blocks/models/prompt/fence.js';
import { modelCoverage } from '@/blocks/requirements/index.js';
import {
  confirm,
  isJudged,
  type LLMProvider,
  type LLMRequest,
  llmCriteria,
  llmCriterion,
  pairwise,
  type RequirementCoverage,
  type Reviewer,
  reviewOutput,
  textOutput,
} from '@/index.js';
import { QualityGate } from '@/products/quality-gate/index.js';
import { dimension } from '@/products/reviewer-stage/dimensions/dimension-reviewer.js';
import { runCodeReview } from '@/products/task-review/index.js';
import { fakeReviewerContext, scriptedProvider } from '@/testing/index.js';
import { questionsOf } from './answering-judge.js';

/** Something that reads a verdict out of a model's answer. */
export interface VerdictReader {
  readonly name: string;
  /** Returns the best answer to a prompt. */
  readonly yes: (request: LLMRequest) => string;
  /** Returns whether the answers of a provider are a positive verdict on a text. */
  readonly passes: (provider: LLMProvider, text: string) => Promise<boolean>;
}

const whole = ({ messages }: LLMRequest): string =>
  messages.map(({ content }) => content).join('\n');
const tokenIn = (request: LLMRequest): string =>
  /The token is (\w+)\./.exec(request.messages[1]?.content ?? '')?.[1] ?? '';

const judgedYes = (request: LLMRequest): string =>
  JSON.stringify({
    token: tokenIn(request),
    answers: Array.from({ length: questionsOf(request) }, (_, index) => ({
      question: index + 1,
      answer: 'yes',
      reason: 'fine',
    })),
  });

/** Approves everything, so that a confirming judge is asked. */
const easy = llmCriterion<string, string>({
  id: 'easy',
  question: 'Is it there?',
  provider: scriptedProvider(judgedYes),
});

type Judges = (provider: LLMProvider) => readonly Reviewer<string, string>[];

/** Reviewers that answer questions about a text. */
const judging = (name: string, reviewers: Judges): VerdictReader => ({
  name,
  yes: judgedYes,
  passes: async (provider, output) => {
    const { decision } = await reviewOutput({
      task: 'tea',
      output,
      reviewers: reviewers(provider),
    });
    return decision.kind === 'approve';
  },
});

const kept = 'A box keeps the session for thirty days.';
const question = { id: 'clear', question: 'Is it clear?' } as const;

const unsure: RequirementCoverage = {
  requirement: 'Guests can stay signed in',
  source: 'explicit',
  covered: false,
  state: 'unsure',
  coverageDetails: 'few words',
  confidence: 0.35,
};

const task = { id: 'TASK-1', name: 'Add tea', checklist: [] };
const changeWith = (text: string) => ({
  files: [
    {
      path: 'a.js',
      status: 'new' as const,
      added: 1,
      removed: 0,
      binary: false,
      submodule: false,
      header: '',
      hunks: [],
      omitted: false,
    },
  ],
  text: `diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -0,0 +1 @@\n${text.replace(/^/gm, '+')}\n`,
});

const reviewingTasks = (name: string, yes: string, options: object): VerdictReader => ({
  name,
  yes: () => yes,
  passes: async (provider, text) => {
    const change = changeWith(text);
    return (await runCodeReview(task, { provider, ...options }, { change }))[0] === 'passed';
  },
});

/** Every reader of verdicts. `root` is a folder for the quality gate. */
export const verdictReaders = (root: string): readonly VerdictReader[] => [
  judging('llmCriterion', (provider) => [llmCriterion({ ...question, provider })]),
  judging('llmCriteria', (provider) =>
    llmCriteria([question, { id: 'short', question: 'Is it short?' }], { mode: 'batch', provider }),
  ),
  judging('dimension', (provider) => [dimension({ ...question, provider })]),
  judging('confirm', (provider) => [
    easy,
    ...confirm({
      reviewers: [llmCriterion({ ...question, provider })],
      providers: [{ ...provider, id: 'other' }],
    }),
  ]),
  {
    name: 'pairwise',
    yes: (request) => {
      const isNew = (label: string): boolean => label.startsWith('A ');
      const shown = readFences(request.messages[0]?.content ?? '');
      const first = shown.find(({ label }) => isNew(label))?.text;
      return JSON.stringify({
        token: tokenIn(request),
        better: first === 'old' ? 'B' : 'A',
        reason: 'fine',
      });
    },
    passes: async (provider, output) => {
      const answer = await pairwise({ provider }).review(
        { task: 'tea', output, iteration: 2 },
        fakeReviewerContext({ best: { iteration: 1, output: 'old' } }),
      );
      const [first] = 'assessments' in answer ? answer.assessments : answer;
      return first !== undefined && isJudged(first) && first.comparison?.result === 'better';
    },
  },
  {
    name: 'modelCoverage',
    yes: (request) =>
      JSON.stringify({
        token: tokenIn(request),
        answers: [{ id: 'R1', answer: 'satisfied', reason: 'so', quote: kept }],
      }),
    passes: async (provider, text) => {
      const output = textOutput(`${text}\n${kept}\n`);
      const model = modelCoverage({ provider });
      const [coverage] = await model.judgeAll([unsure], { output }, fakeReviewerContext());
      return coverage?.covered === true;
    },
  },
  {
    name: 'quality gate',
    yes: () =>
      '{"passed": true, "feedback": "good", "criteria_results": [{"criterion": "Clear", "passed": true, "feedback": null}]}',
    passes: async (provider, text) => {
      const result = await new QualityGate({ root, provider })
        .evaluate({
          qualityCriteria: { Clear: 'Is it clear?' },
          outputs: { text },
          outputTypes: { text: 'string' },
        })
        .catch(() => undefined);
      return result?.passed === true;
    },
  },
  reviewingTasks('task review', '{"verdict": "passed", "reason": "fine", "issues": []}', {}),
  reviewingTasks('task review with markers', 'REVIEW_PASSED: fine', { verdicts: 'markers' }),
];

/** Everything that a prompt says outside of its fences. */
export function outsideOf(request: LLMRequest): string {
  const prompt = `${request.system ?? ''}\n${whole(request)}`;
  return readFences(prompt).reduce((rest, { text }) => rest.replace(text, () => ''), prompt);
}
