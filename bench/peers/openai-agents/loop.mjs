import { Agent, OpenAIProvider, Runner } from '@openai/agents';
import * as z from 'zod';
import {
  apiKey,
  baseURL,
  judgePrompt,
  model,
  questions,
  revisePrompt,
  rounds,
  rules,
  task,
  writePrompt,
} from '../task.mjs';

const modelProvider = new OpenAIProvider({ apiKey, baseURL, useResponses: false });
const runner = new Runner({ modelProvider, tracingDisabled: true });
const writer = new Agent({ name: 'writer', model });
const Verdict = z.object({ passed: z.boolean(), reason: z.string() });
const evaluator = new Agent({ name: 'evaluator', model, outputType: Verdict });

async function write(prompt) {
  const { finalOutput } = await runner.run(writer, prompt);
  return finalOutput;
}

async function judge(question, text) {
  const { finalOutput } = await runner.run(evaluator, judgePrompt(question, text));
  return finalOutput.passed || finalOutput.reason;
}

export async function run() {
  let text = await write(writePrompt(task));
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
}
