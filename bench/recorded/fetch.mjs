// Gets the recorded scores from their public repository, at one commit: `node bench/recorded/fetch.mjs [FOLDER]`.
// FOLDER is a `results/raw` of a clone; without it the files are downloaded. Only the items of items.txt
// are kept: the others are for independent checks.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fetched } from './items.mjs';

const commit = 'e4049a5';
const address = `https://raw.githubusercontent.com/composo-ai/llm-judge-criteria-ensembling/${commit}/results/raw`;

/** The files, with the judges whose scores they contain by member. */
const files = [
  ['base_both_k8', { full_scores: 'base/gpt-5.4', mini_scores: 'base/gpt-5.4-mini' }],
  ['base_claude_both_k8', { full_scores: 'base/sonnet-4.6', mini_scores: 'base/haiku-4.5' }],
  ['base_nano_k8', { nano_scores: 'base/gpt-5.4-nano' }],
  ['criteria_both_k8', { full_scores: 'criteria/gpt-5.4', mini_scores: 'criteria/gpt-5.4-mini' }],
  [
    'criteria_claude_both_k8',
    { full_scores: 'criteria/sonnet-4.6', mini_scores: 'criteria/haiku-4.5' },
  ],
];

const [folder] = process.argv.slice(2);

async function textOf(name) {
  if (folder !== undefined) return readFileSync(resolve(folder, `${name}.jsonl`), 'utf8');
  const response = await fetch(`${address}/${name}.jsonl`);
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return response.text();
}

/** One character a call: `A` is 10, `-` a failed call. */
const rowOf = (scores) => scores.map((score) => (score === 10 ? 'A' : (score ?? '-'))).join('');

const kept = readFileSync(resolve(import.meta.dirname, 'items.txt'), 'utf8')
  .trim()
  .split(/\s+/);
const items = new Map(kept.map((id) => [id, { id, subset: '', scores: {} }]));
for (const [name, judges] of files) {
  for (const line of (await textOf(name)).trim().split('\n')) {
    const row = JSON.parse(line);
    const item = items.get(row.id);
    if (item === undefined) continue;
    item.subset = row.subset;
    for (const [member, judge] of Object.entries(judges)) {
      const rows = row[member].map(rowOf);
      if (rows.length === 4) item.scores[judge] = rows;
    }
  }
}
mkdirSync(dirname(fetched), { recursive: true });
const lines = [...items.values()].map((item) => JSON.stringify(item));
writeFileSync(fetched, `[\n${lines.join(',\n')}\n]\n`);
console.log(`${items.size} items in ${fetched}`);
