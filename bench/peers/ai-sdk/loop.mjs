import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, Output } from 'ai';
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
  task,
  writePrompt,
} from '../task.mjs';

const service = { name: 'fake', apiKey, baseURL, supportsStructuredOutputs: true };
const model = createOpenAICompatible(service)(name);
const output = Output.object({ schema: z.object({ passed: z.boolean(), reason: z.string() }) });

async function judge(question, text) {
  const verdict = await generateText({ model, output, prompt: judgePrompt(question, text) });
  return verdict.output.passed || verdict.output.reason;
}

export async function run() {
  let { text } = await generateText({ model, prompt: writePrompt(task) });
  for (let round = 1; ; round += 1) {
    const found = await Promise.all([
      ...rules.map(({ check }) => check(text)),
      ...questions.map(({ question }) => judge(question, text)),
    ]);
    const problems = found.filter((each) => each !== true);
    if (problems.length === 0) return { approved: true, text };
    if (round === rounds) return { approved: false, text };
    ({ text } = await generateText({ model, prompt: revisePrompt(text, problems) }));
  }
}
