import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
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

const client = new OpenAI({ apiKey, baseURL });
const Verdict = z.object({ passed: z.boolean(), reason: z.string() });

async function write(prompt) {
  const messages = [{ role: 'user', content: prompt }];
  const { choices } = await client.chat.completions.create({ model, messages });
  return choices[0].message.content;
}

async function judge(question, text) {
  const { choices } = await client.chat.completions.parse({
    model,
    messages: [{ role: 'user', content: judgePrompt(question, text) }],
    response_format: zodResponseFormat(Verdict, 'verdict'),
  });
  const { passed, reason } = choices[0].message.parsed;
  return passed || reason;
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
