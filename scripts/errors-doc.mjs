// Prints docs/errors.md, made from the error tables of the rooms; with --write it writes the file.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));

/** The files with an error table: the core's first, then those of the other rooms. */
function tableFiles() {
  const room = (file) => file.split('/').at(-2);
  const files = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .filter((file) => /\/[^/]+\/errors\.ts$/.test(file) && file !== 'src/core/errors.ts')
    .sort((a, b) => (room(a) < room(b) ? -1 : 1));
  return ['src/core/core-errors.ts', 'src/core/checked-errors.ts', ...files];
}

/** What a module exports, together with what it imports. */
async function load(file) {
  const { outputFiles } = buildSync({
    entryPoints: [root + file],
    bundle: true,
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

/** The section of one table, under the sentence that documents it. */
async function section(file) {
  const [, title] = readFileSync(root + file, 'utf8').match(/\/\*\* The (errors of .+)\. \*\//);
  const [table] = Object.values(await load(file));
  const rows = Object.values(table).map(({ code, kind, fix }) => `- \`${code}\` (${kind}): ${fix}`);
  return [`## ${title[0].toUpperCase()}${title.slice(1)}`, '', ...rows, ''].join('\n');
}

/** The text of docs/errors.md. */
export async function errorsDoc() {
  const sections = await Promise.all(tableFiles().map(section));
  return `${head}\n${sections.join('\n')}`;
}

const head = `# Errors

<!-- Made by \`node scripts/errors-doc.mjs --write\` from the \`errors.ts\` of each room. Do not edit it by hand. -->

Each error of the library is a \`ReviewLoopError\` with a \`code\`, which is [API](stability.md), a
\`kind\`, and a \`message\` that says what happened and how to fix it. \`value\` is what was refused,
\`cause\` the error behind, and \`retryable\` says whether the same call may succeed later.
\`isReviewError(error)\` recognizes them, also when two copies of the package are loaded.

The kind says who can remove the cause: \`usage\` the caller, \`input\` the author of the data (exit
code 2 of the command line), \`judge\` a reviewer or model, \`environment\` the disk, the network or
another process, \`bug\` the author of code (1; \`cancelled\`: 130).

Misuse rejects. A failure during a run does not: it is an [outcome](outcomes.md) with an \`error\`, or
an \`errored\` assessment of its judge.
`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const doc = await errorsDoc();
  if (process.argv.includes('--write')) writeFileSync(`${root}docs/errors.md`, doc);
  else process.stdout.write(doc);
}
