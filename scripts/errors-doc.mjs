// Prints docs/errors.md, made from src/core/error-codes.ts; with --write it writes the file.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';

const root = new URL('../', import.meta.url);
const source = new URL('src/core/error-codes.ts', root);

/** The groups of codes: the comments of the table, each with the codes below it. */
function groups(text, codes) {
  const found = [];
  for (const line of text.split('\n')) {
    const comment = line.match(/^ {2}\/\/ (.+)$/);
    if (comment) found.push({ title: comment[1].replaceAll("\\'", "'"), codes: [] });
    const code = line.match(/^ {2}(\w+):/);
    if (code && code[1] in codes) found.at(-1)?.codes.push(code[1]);
  }
  return found;
}

/** The text of docs/errors.md. */
export async function errorsDoc() {
  const text = readFileSync(source, 'utf8');
  const { code } = transformSync(text, { loader: 'ts', format: 'esm' });
  const { errorCodes } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const sections = groups(text, errorCodes).map(({ title, codes }) => {
    const rows = codes.map(
      (name) => `| \`${name}\` | ${errorCodes[name].replaceAll('|', '\\|')} |`,
    );
    return [
      `## ${title[0].toUpperCase()}${title.slice(1)}`,
      '',
      '| code | how to fix it |',
      '|---|---|',
      ...rows,
      '',
    ].join('\n');
  });
  const listed = groups(text, errorCodes).flatMap((group) => group.codes);
  const missing = Object.keys(errorCodes).filter((name) => !listed.includes(name));
  if (missing.length > 0) throw new Error(`codes outside of every group: ${missing.join(', ')}`);
  return `${head}\n${sections.join('\n')}`;
}

const head = `# Errors

<!-- Made by \`node scripts/errors-doc.mjs --write\` from src/core/error-codes.ts. Do not edit it by hand. -->

Every error of the library is a \`ReviewLoopError\`: a stable \`code\`, a \`message\` that says what happened and how to fix it, the
\`fix\` alone, the refused \`value\` where there is one, the \`cause\`, and \`retryable\`, which says whether the same call may succeed when
it is made again. \`isReviewError(error)\` tells it from other errors, also when two copies of the package are loaded.

Misuse rejects. What happens in a run does not: it is an outcome with a \`status\`, a \`code\` and a \`reason\`, and an \`error\` behind
\`failed\`, \`timed_out\` and \`cancelled\`. A judge that failed is an \`errored\` assessment that carries its error. The codes are API
(see [stability](stability.md)).
`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const doc = await errorsDoc();
  if (process.argv.includes('--write'))
    writeFileSync(fileURLToPath(new URL('docs/errors.md', root)), doc);
  else process.stdout.write(doc);
}
