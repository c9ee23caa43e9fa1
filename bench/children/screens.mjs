// All criteria of one kind over a page or stylesheet of a given size; the best of some runs, each with a text of its own.
import { pathToFileURL } from 'node:url';
import { answer, given } from '../lib/child.mjs';
import { dist } from '../lib/library.mjs';

const { kind, times } = given();
const made = await import(pathToFileURL(`${dist}/criteria/${kind}.js`).href);
const criteria = kind === 'html' ? made.htmlCriteria() : made.cssCriteria();

const row = (n) =>
  `<li class="row r${n}"><a href="/p/${n}"><img src="${n}.png" alt="Product ${n}"></a><label for="f${n}">Amount</label><input id="f${n}"><button type="button">Buy ${n}</button></li>\n`;
const rule = (n) =>
  `.card-${n} { color: ${n % 2 === 0 ? 'var(--ink)' : '#345'}; padding: ${n % 7}px var(--space); transition: color .2s }\n@media (min-width: ${n}px) { .card-${n} { display: grid } }\n`;

function text(run) {
  const count = times * 100;
  const parts = Array.from({ length: count }, (_, index) =>
    kind === 'html' ? row(index) : rule(index),
  );
  if (kind === 'css') return `/* ${run} */:root { --ink: #111; --space: 4px }\n${parts.join('')}`;
  return `<!doctype html><html lang="en"><title>${run}</title><style>.hidden { display: none } ul > .r3 { visibility: hidden }</style><ul>${parts.join('')}</ul>`;
}

let best = Number.POSITIVE_INFINITY;
let findings = 0;
let bytes = 0;
for (let run = 0; run < (times > 10 ? 2 : 5); run += 1) {
  const content = text(run);
  bytes = content.length;
  const output = {
    artifacts: [{ type: kind === 'html' ? 'html' : 'stylesheet', path: `a.${kind}`, content }],
  };
  const start = performance.now();
  const results = [];
  for (const criterion of criteria)
    results.push(
      await criterion.validate(output, undefined, { previousOutputs: [], previousReviews: [] }),
    );
  best = Math.min(best, performance.now() - start);
  findings = results.reduce((sum, result) => sum + (result.findings?.length ?? 0), 0);
}
answer({ bytes, criteria: criteria.length, ms: best, findings });
