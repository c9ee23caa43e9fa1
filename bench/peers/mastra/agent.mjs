import { Agent } from '@mastra/core/agent';
import { createScorer } from '@mastra/core/evals';
import * as z from 'zod';
import {
  apiKey,
  baseURL,
  judgePrompt,
  model as name,
  questions,
  rounds,
  rules,
  task,
  writePrompt,
} from '../task.mjs';

const model = { id: `fake/${name}`, url: baseURL, apiKey };
const writer = new Agent({ id: 'writer', name: 'writer', instructions: 'You write.', model });
const Verdict = z.object({ passed: z.boolean(), reason: z.string() });

const ruleScorers = rules.map(({ id, check }) =>
  createScorer({ id, description: id })
    .generateScore(({ run: { output } }) => (check(output) === true ? 1 : 0))
    .generateReason(({ run: { output } }) => String(check(output))),
);

const questionScorers = questions.map(({ id, question }) =>
  createScorer({ id, description: question, judge: { model, instructions: 'You judge.' } })
    .analyze({
      description: question,
      outputSchema: Verdict,
      createPrompt: ({ run: { output } }) => judgePrompt(question, output),
    })
    .generateScore(({ results }) => (results.analyzeStepResult.passed ? 1 : 0))
    .generateReason(({ results }) => results.analyzeStepResult.reason),
);

export async function run() {
  let approved = false;
  const { steps } = await writer.generate(writePrompt(task), {
    maxSteps: rounds,
    isTaskComplete: {
      scorers: [...ruleScorers, ...questionScorers],
      strategy: 'all',
      parallel: true,
      onComplete: ({ complete }) => {
        approved = complete;
      },
    },
  });
  return { approved, text: steps.at(-1).text };
}
