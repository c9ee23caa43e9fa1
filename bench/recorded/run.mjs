// Makes the tables of recorded judges, and fails if a page shows others. `--write` puts them into the pages.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { scoresFile, usableItems } from './items.mjs';
import { staleTables } from './pages.mjs';

const file = scoresFile();
if (file === undefined) {
  console.log('no recorded scores: run `node bench/recorded/fetch.mjs`, or set REVIEWLOOP_CORPORA');
  process.exit(2);
}
const root = resolve(import.meta.dirname, '../..');
const isWriting = process.argv.includes('--write');
let stale = 0;
for (const { page, text, tables } of staleTables(root, usableItems(file), readFileSync)) {
  stale += tables.length;
  if (isWriting) writeFileSync(resolve(root, page), text);
  console.log(`${page}: ${tables.join(', ')} ${isWriting ? 'written' : 'differ'}`);
}
if (stale === 0) console.log('all tables are those of the recorded judges');
process.exitCode = stale > 0 && !isWriting ? 1 : 0;
