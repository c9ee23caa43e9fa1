import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { open, truncate } from 'node:fs/promises';
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
  stateDir,
  task,
  writePrompt,
} from '../task.mjs';

const client = new OpenAI({ apiKey, baseURL });
const Verdict = z.object({ passed: z.boolean(), reason: z.string() });
const Line = z.object({ key: z.string(), value: z.string() });

/** Returns a function that pays for each call once: the answers are in a file, and on the disk. */
async function openJournal(file) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole !== text) await truncate(file, Buffer.byteLength(whole));
  const kept = whole.split('\n');
  const lines = kept.filter((line) => line !== '').map((line) => Line.parse(JSON.parse(line)));
  const known = new Map(lines.map(({ key, value }) => [key, value]));
  const handle = await open(file, 'a');
  const ask = async (body) => {
    const key = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    const paid = known.get(key);
    if (paid !== undefined) return paid;
    const { choices } = await client.chat.completions.create(body);
    const value = choices[0].message.content;
    await handle.write(`${JSON.stringify({ key, value })}\n`);
    await handle.datasync();
    return value;
  };
  return { ask, close: () => handle.close() };
}

const write = (ask, prompt) => ask({ model, messages: [{ role: 'user', content: prompt }] });

async function judge(ask, question, text) {
  const answer = await ask({
    model,
    messages: [{ role: 'user', content: judgePrompt(question, text) }],
    response_format: zodResponseFormat(Verdict, 'verdict'),
  });
  const { passed, reason } = Verdict.parse(JSON.parse(answer));
  return passed || reason;
}

async function loop(ask) {
  let text = await write(ask, writePrompt(task));
  let best = { text, count: Number.POSITIVE_INFINITY };
  for (let round = 1; ; round += 1) {
    const settled = await Promise.allSettled([
      ...rules.map(async ({ check }) => check(text)),
      ...questions.map(({ question }) => judge(ask, question, text)),
    ]);
    const failed = settled.filter(({ status }) => status === 'rejected');
    if (failed.length > 0) return { approved: false, text: best.text, status: 'a judge failed' };
    const problems = settled.map(({ value }) => value).filter((each) => each !== true);
    if (problems.length === 0) return { approved: true, text, status: 'approved' };
    if (problems.length < best.count) best = { text, count: problems.length };
    if (round === rounds) return { approved: false, text: best.text, status: 'rounds used up' };
    text = await write(ask, revisePrompt(text, problems));
  }
}

export async function run(runId) {
  const { ask, close } = await openJournal(`${stateDir}/${runId}.jsonl`);
  try {
    return await loop(ask);
  } finally {
    await close();
  }
}
