import { entrypoint, task as makeTask } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { ChatOpenAI } from '@langchain/openai';
import * as z from 'zod';
import {
  apiKey,
  baseURL,
  judgePrompt,
  model as name,
  questions,
  revisePrompt,
  rounds,
  rules,
  stateDir,
  task,
  writePrompt,
} from '../task.mjs';

const model = new ChatOpenAI({ model: name, apiKey, configuration: { baseURL } });
const Verdict = z.object({ passed: z.boolean(), reason: z.string() });
const evaluator = model.withStructuredOutput(Verdict, { method: 'jsonSchema' });

const write = makeTask('write', async (prompt) => {
  const { text } = await model.invoke(prompt);
  return text;
});

const judge = makeTask('judge', async (question, text) => {
  const { passed, reason } = await evaluator.invoke(judgePrompt(question, text));
  return passed || reason;
});

const checkpointer = SqliteSaver.fromConnString(`${stateDir}/checkpoints.sqlite`);

const article = entrypoint({ name: 'article', checkpointer }, async (topic) => {
  let text = await write(writePrompt(topic));
  for (let round = 1; ; round += 1) {
    const found = await Promise.all([
      ...rules.map(({ check }) => check(text)),
      ...questions.map(({ question }) => judge(question, text)),
    ]);
    const problems = found.filter((each) => each !== true);
    if (problems.length === 0) return { approved: true, text };
    if (round === rounds) return { approved: false, text };
    text = await write(revisePrompt(text, problems));
  }
});

export async function run(runId) {
  const config = { configurable: { thread_id: runId } };
  const { next } = await article.getState(config);
  return article.invoke(next.length > 0 ? null : task, config);
}
