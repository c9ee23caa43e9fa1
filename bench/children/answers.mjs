// Reads verdicts as `askModel` does. What it costs beside the reading (the schema, the call) is the same for any way of reading, so JSON.parse gets it too.
import { existsSync, readFileSync } from 'node:fs';
import { answer, given } from '../lib/child.mjs';
import { inner } from '../lib/inner.mjs';
import { root } from '../lib/library.mjs';

const { kilobytes } = given();
const { readAnswer } = await inner('src/blocks/models/answer/read-answer.ts');

const gap = (index) => ({
  id: `gap-${index}`,
  severity: 'major',
  description: `The term number ${index} is used before it is explained, which readers of the page will trip over.`,
  line: index,
  quote: 'as we saw before, "oolong" is a half-oxidised tea',
});
const verdict = { passed: false, score: 0.4, gaps: [] };
while (JSON.stringify(verdict).length < kilobytes * 1024)
  verdict.gaps.push(gap(verdict.gaps.length));
const bare = JSON.stringify(verdict, null, 1);
const wrapped = `\`\`\`json\n${bare}\n\`\`\`\n`;
const prompt = 'Is it good?';

async function megabytesPerSecond(work) {
  const rounds = Math.ceil(400_000 / bare.length);
  let best = 0;
  for (let repeat = 0; repeat < 100; repeat += 1) {
    const start = performance.now();
    for (let round = 0; round < rounds; round += 1) await work();
    best = Math.max(best, (rounds * bare.length) / 1000 / (performance.now() - start));
  }
  return best;
}

const odd = [
  '{'.repeat(200_000),
  '["'.repeat(100_000),
  `{"passed":true,${'"a":1,'.repeat(9_000)}}`,
  '```\n'.repeat(50_000),
  `${'a '.repeat(100_000)}{'passed': True}`,
  `{'passed': True, 'score': ${'1'.repeat(60_000)}}`,
  '<think>'.repeat(30_000),
  '<<<UNTRUSTED n a>>>\n'.repeat(10_000),
];
const corpus = `${root}../shared/corpora/messy-json/jsonrepair.json`;
if (existsSync(corpus))
  odd.push(...JSON.parse(readFileSync(corpus, 'utf8')).map(({ input }) => input));
let slowestMs = 0;
let slowest = '';
await readAnswer("{'passed': True}", prompt);
for (const text of odd) {
  const start = performance.now();
  await readAnswer(text, prompt).catch(() => undefined);
  const took = performance.now() - start;
  if (took > slowestMs) [slowestMs, slowest] = [took, text.slice(0, 30)];
}

const plain = await megabytesPerSecond(async () => JSON.parse(bare));
const fenced = await megabytesPerSecond(() => readAnswer(wrapped, prompt));
answer({ plain, fenced, slowestMs, slowest, texts: odd.length });
