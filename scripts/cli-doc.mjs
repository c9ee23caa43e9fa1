// Writes the options of every command into docs/cli.md, from the flags of the program; --check only compares.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { esbuildReportShell } from './report-shell.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const page = `${root}docs/cli.md`;
const marked = /(<!-- options: made by .* -->\n)[\s\S]*?(<!-- \/options -->)/;
/** An option that so many commands have in the same words is told once. */
const shared = 3;
/** What the page says once, beside `--provider`; `--help` has what follows the first clause. */
const providers = / ?: openai:MODEL.*?by the keys that are set;?/;

/** The commands of the program, built into a folder from which they find their packages. */
async function commands() {
  const outdir = `${root}temp/cli-doc`;
  await build({
    absWorkingDir: root,
    entryPoints: ['src/faces/cli/program.ts'],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
    plugins: [esbuildReportShell],
  });
  const program = await import(pathToFileURL(`${outdir}/program.mjs`).href);
  const all = program.commands.map((command) => command.commander(async () => {}));
  rmSync(outdir, { recursive: true, force: true });
  return all;
}

/** A command with those below it, each with its words. */
const flat = (command, before = []) => {
  const words = [...before, command.name()];
  return [{ words, command }, ...command.commands.flatMap((own) => flat(own, words))];
};

const told = ({ flags, description, defaultValue }) => {
  if (providers.test(description)) return `- \`${flags}\`: a model`;
  const preset =
    defaultValue === undefined || [true, false].includes(defaultValue) || `${defaultValue}` === ''
      ? ''
      : ` (default: ${defaultValue})`;
  return `- \`${flags}\`: ${description.replace(providers, '').split('; ')[0]}${preset}`;
};

/** The options of every command as Markdown. */
export async function optionsDoc() {
  const all = (await commands()).flatMap((command) => flat(command));
  // a group of commands is named by its commands
  const single = all.filter(
    ({ command }) => command.commands.length === 0 || command.options.length > 0,
  );
  const rows = single.map(({ words, command }) => ({
    words,
    lines: command.options.filter(({ hidden }) => !hidden).map(told),
    about: command.description(),
  }));
  const count = (line) => rows.filter(({ lines }) => lines.includes(line)).length;
  const common = [...new Set(rows.flatMap(({ lines }) => lines))].filter(
    (line) => count(line) >= shared,
  );
  // a short word for another command says so itself
  const isShort = (about) => / as `reviewloop .*` does\.$/.test(about);
  const sections = rows.map(({ words, lines, about }) => {
    const own = isShort(about) ? [] : lines.filter((line) => !common.includes(line));
    return [
      `**\`reviewloop ${words.join(' ')}\`**: ${about.split(/[.:,](?: |$)/)[0]}`,
      own.join('\n'),
    ]
      .filter((text) => text !== '')
      .join('\n\n');
  });
  return ['Of several commands:', common.join('\n'), ...sections].join('\n\n');
}

/** The page with the options of now between its marks. */
export async function cliDoc() {
  const options = await optionsDoc();
  const before = readFileSync(page, 'utf8');
  if (!marked.test(before)) throw new Error(`${page} needs the marks of its options`);
  return before.replace(marked, (_, open, close) => `${open}\n${options}\n\n${close}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const doc = await cliDoc();
  if (process.argv.includes('--write')) writeFileSync(page, doc);
  else process.stdout.write(doc);
}
