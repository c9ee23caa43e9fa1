// The digest of an output, and the view that a scope gives a criterion, against JSON and SHA-256 alone.
import { createHash } from 'node:crypto';
import { answer, given } from '../lib/child.mjs';
import { library } from '../lib/library.mjs';

const { kilobytes, kernel } = given();
const { digestOf } = await library('ports');
const { copyJson } = await import(kernel);

const artifacts = 5;
const line = '<p class="note">Rows of text, "quoted" and plain, as an artifact holds them.</p>\n';
const content = line.repeat(Math.ceil((kilobytes * 1000) / artifacts / line.length));
const output = {
  artifacts: Array.from({ length: artifacts }, (_, index) => ({
    path: `page-${index}.html`,
    type: 'html',
    content: `${index}${content}`,
  })),
};
const scope = ({ artifacts: all }) => all[0];

function micros(work) {
  const best = [];
  for (let batch = 0; batch < 30; batch += 1) {
    const start = process.hrtime.bigint();
    let calls = 0;
    while (process.hrtime.bigint() - start < 10_000_000n) {
      work();
      calls += 1;
    }
    best.push(Number(process.hrtime.bigint() - start) / 1000 / calls);
  }
  return Math.min(...best);
}

answer({
  bytes: JSON.stringify(output).length,
  baseline: micros(() => createHash('sha256').update(JSON.stringify(output)).digest('hex')),
  digest: micros(() => digestOf(output)),
  copy: micros(() => copyJson(output, { freeze: true })),
  view: micros(() => digestOf(copyJson(scope(output), { freeze: true }))),
});
