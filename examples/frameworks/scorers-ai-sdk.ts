// Decisions of the AI SDK as criteria of a pipeline.
// The model of this example is a mock. For a real one: `openai.decisionModel('gpt-6-luna')`.
import { experimental_decide } from 'ai';
import { Experimental_DecisionMockModelV4 } from 'ai/test';
import { definePipeline } from 'reviewloop';
import { fromDecisions, type ScorerSubject } from 'reviewloop/reviewers';

const model = new Experimental_DecisionMockModelV4({
  doDecide: async ({ state }) => {
    const kind = JSON.stringify(state).includes('sorry') ? 0.95 : 0.3;
    return {
      answers: {
        tone: {
          type: 'choice',
          choice: kind > 0.5 ? 'kind' : 'cold',
          probabilities: { kind, cold: 1 - kind },
        },
        complete: { type: 'boolean', probability: 0.9 },
      },
      usage: { inputTokens: 30, outputTokens: 5 },
      warnings: [],
    };
  },
});

const questions = {
  tone: {
    type: 'choice',
    instructions: 'What is the tone of this reply?',
    criteria: { kind: 'It shows sympathy', cold: 'It is curt' },
  },
  complete: { type: 'boolean', instructions: 'Does it answer the question?' },
} as const;

const reply = fromDecisions(
  ({ task, output, signal }: ScorerSubject<string, string>) =>
    experimental_decide({ model, state: { task, output }, questions, abortSignal: signal }),
  { id: 'reply', threshold: 0.8, version: 'mock/reply-1', questions, good: { tone: 'kind' } },
);

const replies = definePipeline({
  produce: async (_question: string) => 'It left today.',
  address: async () => 'We are sorry. It left today.',
  reviewers: [reply],
});

const outcome = await replies.run('Where is my parcel?');
console.log(outcome.status, outcome.output);
for (const assessment of outcome.review?.assessments ?? [])
  if ('explanation' in assessment) console.log(assessment.criterion, assessment.explanation);
console.log('tokens:', outcome.usage.review.totalTokens ?? 'unknown');
