// Makes docs/terminal.svg: a review on a terminal, while it runs and at its end, as text. `npm run picture` after the
// screen has changed; test/docs/terminal-picture.real.test.ts tells when.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { esbuildReportShell } from '../report-shell.mjs';
import { columns, command, record, saidBy } from './recording.mjs';
import { playTerminal } from './terminal-cells.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const program = `${root}temp/picture/bin.mjs`;

/** The size of a character and of a line, in pixels of the picture. */
const wide = 8.4;
const high = 20;
const edge = 20;

mkdirSync(`${root}temp/picture`, { recursive: true });
await build({
  absWorkingDir: root,
  entryPoints: ['src/faces/cli/bin.ts'],
  outfile: program,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  alias: { '#hash': './src/core/no-portable-hash.ts' },
  plugins: [esbuildReportShell],
  logLevel: 'error',
});
const { whole, during } = await record(program, 1000);
const end = playTerminal(whole, columns);
const frames = [shownRows(playTerminal(during, columns)), shownRows(end)];
writeFileSync(`${root}docs/terminal.svg`, pictureOf(frames, saidBy(end.lines)));

function shownRows({ rows }) {
  const last = rows.findLastIndex((cells) => cells.some(({ text }) => text.trim() !== ''));
  return rows.slice(0, last + 1);
}

function pictureOf([running, ended], said) {
  const width = columns * wide + 2 * edge;
  const height = (ended.length + 1) * high + 2 * edge;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="t d">
<title id="t">reviewloop review on a terminal</title>
<desc id="d">${escaped(said)}</desc>
<style>
text { font: 14px/20px ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; fill: #1f2328; white-space: pre }
rect { fill: #f6f8fa; stroke: #d0d7de }
.bold { font-weight: 700 } .dim, .gray { fill: #59636e } .red { fill: #b3261e } .green { fill: #116329 } .yellow { fill: #7d4e00 } .cyan { fill: #0b6478 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } rect { fill: #0d1117; stroke: #30363d }
.dim, .gray { fill: #9198a1 } .red { fill: #ff7b72 } .green { fill: #56d364 } .yellow { fill: #e3b341 } .cyan { fill: #39c5cf }
}
.during { opacity: 0; animation: show-review 8s infinite } .after { animation: show-report 8s infinite }
@keyframes show-review { 0%, 37% { opacity: 1 } 37.1%, 100% { opacity: 0 } }
@keyframes show-report { 0%, 37% { opacity: 0 } 37.1%, 100% { opacity: 1 } }
@media (prefers-reduced-motion: reduce) { .during, .after { animation: none } }
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${lineOf([{ text: `$ ${command}`, style: 'dim' }], 0)}
<g class="during">
${running.map((cells, index) => lineOf(runsOf(cells), index + 1)).join('\n')}
</g>
<g class="after">
${ended.map((cells, index) => lineOf(runsOf(cells), index + 1)).join('\n')}
</g>
</svg>
`.replace(/\n{2,}/g, '\n');
}

/** Joins neighbours of one style. */
function runsOf(cells) {
  const runs = [];
  for (const [column, { text, style }] of cells.entries()) {
    const last = runs.at(-1);
    if (last !== undefined && last.style === style) last.text += text;
    else runs.push({ text, style, column });
  }
  return runs.filter(({ text }) => text.trim() !== '');
}

function lineOf(runs, row) {
  if (runs.length === 0) return '';
  const y = edge + (row + 0.75) * high;
  const parts = runs.map(({ text, style, column = 0 }) => {
    const shown = text.trimEnd();
    const lead = shown.length - shown.trimStart().length;
    const at = (edge + (column + lead) * wide).toFixed(1);
    const length = ([...shown].length - lead) * wide;
    const named = style === '' ? '' : ` class="${style}"`;
    return `<tspan x="${at}" textLength="${length.toFixed(1)}"${named}>${escaped(shown.trimStart())}</tspan>`;
  });
  return `<text y="${y}">${parts.join('')}</text>`;
}

function escaped(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
