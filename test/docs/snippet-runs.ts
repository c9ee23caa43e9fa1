import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { libraryEntries } from '../../scripts/entries.mjs';
import { esbuildReportShell } from '../../scripts/report-shell.mjs';
import { pageFixtures } from './page-fixtures.js';
import { nameOf, type Snippet } from './snippets.js';
import { standIns } from './stand-ins.js';

/** What a snippet did. */
export interface SnippetRun {
  readonly snippet: Snippet;
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const alias = Object.fromEntries(
  Object.entries(libraryEntries).map(([entry, source]) => [
    entry === 'index' ? 'reviewloop' : `reviewloop/${entry}`,
    `./${source}`,
  ]),
);
const timeoutMs = 280_000;
const testFile = 'is a test file';

/** Why a snippet is compiled and not run; nothing for one that runs. */
export function whyNotRun({ file, code, marks }: Snippet): string | undefined {
  if (marks.includes('no-check')) return 'no-check';
  if (marks.includes('no-run')) return 'no-run';
  if (marks.includes('needs=postgres')) return 'runs over a server';
  if (marks.some((mark) => mark.startsWith('framework='))) return 'runs in test/frameworks';
  const [, name] = /^\s*(?:export )?declare (?:const|function) (\w+)/m.exec(code) ?? [];
  if (name !== undefined && standIns[file]?.[name] === undefined) return `declares ${name}`;
  if (/from 'vitest'|from 'reviewloop\/vitest'/.test(code)) return testFile;
  return undefined;
}

/** Bundles snippets as programs with the sources as `reviewloop`, into the folder `programs`. */
async function bundleSnippets(
  root: string,
  folder: string,
  snippets: readonly Snippet[],
): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'source'), { recursive: true });
  const sources = snippets.map((snippet) => {
    const file = join(folder, 'source', `${nameOf(snippet)}.ts`);
    writeFileSync(file, `${snippet.code}\nexport {};\n`);
    return file;
  });
  await build({
    absWorkingDir: root,
    entryPoints: { ...namedEntries(sources), 'local-model': 'test/docs/local-model.ts' },
    outdir: join(folder, 'programs'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    // an import for its effect stays: package.json names the built files that have one
    ignoreAnnotations: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    alias,
    logLevel: 'error',
    plugins: [esbuildReportShell],
  });
}

/** Returns whether a snippet runs over a server, with a framework, or as a test file. */
export const isRunElsewhere = (snippet: Snippet): boolean =>
  snippet.marks.some((mark) => /^(?:framework|needs)=/.test(mark)) ||
  whyNotRun(snippet) === testFile;

export const testFilesAmong = (snippets: readonly Snippet[]): Snippet[] =>
  snippets.filter((snippet) => whyNotRun(snippet) === testFile);

export async function runTestFiles(
  root: string,
  folder: string,
  snippets: readonly Snippet[],
): Promise<{ readonly code: number | null; readonly out: string }> {
  await bundleSnippets(root, folder, snippets);
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    `export default ${JSON.stringify({ test: { include: ['programs/docs-*.mjs'] } })};`,
  );
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [vitest, 'run', '--root', folder], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', VITEST: undefined, VITEST_WORKER_ID: undefined },
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out }));
  });
}

/**
 * Runs snippets as programs, with the sources as `reviewloop`. Those of one page run in their order, in one folder, so
 * that a later one finds what an earlier one left. A local model answers at the address of Ollama; nothing else is there.
 */
export async function runSnippets(
  root: string,
  folder: string,
  snippets: readonly Snippet[],
): Promise<SnippetRun[]> {
  await bundleSnippets(root, folder, snippets);
  // outside of the repository, so that git finds no other one
  const scratch = mkdtempSync(join(tmpdir(), 'reviewloop-snippets-'));
  const cwdOf = (file: string) => join(scratch, file.replaceAll(/[^a-zA-Z0-9]+/g, '-'));
  for (const snippet of snippets) mkdirSync(cwdOf(snippet.file), { recursive: true });
  for (const file of new Set(snippets.map((snippet) => snippet.file)))
    pageFixtures[file]?.(cwdOf(file));
  const waiting = [...new Set(snippets.map(({ file }) => file))].map((file) =>
    snippets.filter((snippet) => snippet.file === file),
  );
  const runs: SnippetRun[] = [];
  const work = async () => {
    for (let page = waiting.shift(); page !== undefined; page = waiting.shift())
      for (const snippet of page) runs.push(await runSnippet(folder, cwdOf(snippet.file), snippet));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  rmSync(scratch, { recursive: true, force: true });
  return snippets.flatMap((snippet) => runs.filter((run) => run.snippet === snippet));
}

const namedEntries = (files: readonly string[]): Record<string, string> =>
  Object.fromEntries(files.map((file) => [file.replace(/^.*[/\\]|\.ts$/g, ''), file]));

function runSnippet(folder: string, cwd: string, snippet: Snippet): Promise<SnippetRun> {
  const program = join(folder, 'programs', `${nameOf(snippet)}.mjs`);
  const model = pathToFileURL(join(folder, 'programs', 'local-model.mjs')).href;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', model, program], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      env: { ...process.env, NO_COLOR: '1', CI: '1', SNIPPET_PAGE: snippet.file },
    });
    const said = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ snippet, code, ...said }));
  });
}
