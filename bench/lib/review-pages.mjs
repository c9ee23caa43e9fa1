// How long the criteria over rendered pages take, with the browser warm.
import { library } from './library.mjs';
import { median } from './stats.mjs';

const rounds = 5;
const kinds = [
  { pages: 1, parts: 2, readyMs: 1_500 },
  { pages: 20, parts: 2, readyMs: 30_000 },
  { pages: 1, parts: 100 },
];

/** Reviews pages that no visit has seen yet, then the same pages again. */
export async function reviewPages(report, executablePath) {
  const { pageCriteria, closeIdleBrowsers } = await library('criteria/page');
  const criteria = pageCriteria({
    browser: { executablePath },
    timeoutMs: 120_000,
  });
  let made = 0;
  const timed = async (artifacts) => {
    const start = performance.now();
    for (const result of await Promise.all(
      criteria.map((one) => one.validate({ artifacts }, undefined, { previous: [] })),
    ))
      if (result.undecided !== undefined) throw new Error(result.undecided);
    return performance.now() - start;
  };
  const site = (pages, parts) =>
    Array.from({ length: pages }, () => {
      made += 1;
      return { type: 'mockup', path: `page-${made}.html`, content: pageOf(made, parts) };
    });
  await timed(site(1, 1));
  for (const { pages, parts, readyMs } of kinds) {
    const [fresh, again] = [[], []];
    for (let round = 0; round < (pages > 1 ? 2 : rounds); round += 1) {
      const artifacts = site(pages, parts);
      fresh.push(await timed(artifacts));
      again.push(await timed(artifacts));
    }
    const name = `${pages} rendered pages of ${parts} parts`;
    report.line('pages', 'criteria/page', {
      pages,
      parts,
      ms: median(fresh),
      again: median(again),
    });
    if (readyMs !== undefined) report.atMost(`${name}, ms`, median(fresh), readyMs);
  }
  await closeIdleBrowsers();
}

/** A page with a heading, a menu, some parts with a picture each, and a form. */
function pageOf(number, parts) {
  const picture =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='60' height='40'/%3E";
  const body = Array.from(
    { length: parts },
    (_, part) => `<section><h2 id="p${part}">Part ${part}</h2>
<p class="${part % 2 === 0 ? 'plain' : 'shaded'}">Text of part ${part} on page ${number}.</p>
<img src="${picture}" width="60" height="40" alt="Part ${part}"></section>`,
  ).join('\n');
  return `<!DOCTYPE html><html lang="en"><head><title>Page ${number}</title><style>
body { font: 16px/1.5 sans-serif } nav a { padding: 8px; display: inline-block }
.shaded { background: linear-gradient(#fff, #eee); color: #222 } img { max-width: 100% }
</style></head><body><header><h1>Page ${number}</h1><nav><a href="#p0">First</a> <a href="#end">End</a></nav></header>
<main>${body}<form id="end"><label>Name <input name="n"></label> <button type="button">Send</button></form></main></body></html>`;
}
