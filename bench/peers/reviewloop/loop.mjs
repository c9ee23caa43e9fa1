import { definePipeline, llmCriteria } from 'reviewloop';
import { openaiProvider } from 'reviewloop/providers/openai';
import { fileStore } from 'reviewloop/stores/file';
import {
  apiKey,
  baseURL,
  model,
  questions,
  revisePrompt,
  rounds,
  rules,
  stateDir,
  task,
  writePrompt,
} from '../task.mjs';

const provider = openaiProvider({ model, baseURL, apiKey });

async function write(prompt, { signal }) {
  const messages = [{ role: 'user', content: prompt }];
  const { text } = await provider.generate({ messages, signal });
  return text;
}

const article = definePipeline({
  produce: (topic, context) => write(writePrompt(topic), context),
  address: (text, gaps, context) => {
    const problems = gaps.map(({ description }) => description);
    return write(revisePrompt(text, problems), context);
  },
  criteria: Object.fromEntries(rules.map(({ id, check }) => [id, check])),
  reviewers: llmCriteria(questions),
  provider,
  budget: { reviews: rounds },
  store: fileStore(stateDir),
});

export async function run(runId) {
  const { approved, output, status, reason } = await article.run(task, { runId });
  return { approved, text: output, status, reason };
}
