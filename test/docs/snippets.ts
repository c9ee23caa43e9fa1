import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packagePaths } from '../support/bundle.js';

/** A ```ts block of a Markdown file. */
export interface Snippet {
  readonly file: string;
  readonly line: number;
  readonly code: string;
  readonly checked: boolean;
  /** What stands after the language: `no-check`, `no-run`, `crashes`. */
  readonly marks: readonly string[];
  /** The `text` block that follows, below a line that ends in `prints:`. */
  readonly prints: string | undefined;
}

/** What a snippet prints, as its page says. */
const printed = /^\s*(?:(?!```)[^\n#]*\n)?(?!```)[^\n#]*prints:\n\n```text\n([\s\S]*?)^```$/m;

const fence = /^(?<indent> *)(?<ticks>`{3,})(?<info>[^\n`]*)\n(?<code>[\s\S]*?)^ *\k<ticks>`* *$/gm;

/**
 * The ```ts blocks of a Markdown text; those marked `no-check` are not to be compiled. A block marked `file=a.ts` is what
 * later blocks of the page import as './a.js'.
 */
export function snippetsOf(file: string, markdown: string): Snippet[] {
  const found = blocksOf(file, markdown);
  const files = found.flatMap((snippet) => {
    const name = snippet.marks.find((mark) => mark.startsWith('file='))?.slice('file='.length);
    return name === undefined ? [] : [[name.replace(/\.ts$/, '.js'), nameOf(snippet)] as const];
  });
  return found.map((snippet) => ({
    ...snippet,
    code: files.reduce(
      (code, [name, to]) => code.replaceAll(`from './${name}'`, `from './${to}.js'`),
      snippet.code,
    ),
  }));
}

function blocksOf(file: string, markdown: string): Snippet[] {
  return [...markdown.matchAll(fence)].flatMap((match) => {
    const [language, ...marks] = (match.groups?.['info'] ?? '').trim().split(/\s+/);
    if (language !== 'ts' && language !== 'typescript') return [];
    const line = markdown.slice(0, match.index).split('\n').length;
    const after = markdown.slice(match.index + match[0].length);
    const found = printed.exec(after);
    return [
      {
        file,
        line,
        code: match.groups?.['code'] ?? '',
        checked: !marks.some((mark) => mark === 'no-check' || mark.startsWith('framework=')),
        marks,
        prints: found?.index === 0 ? found[1] : undefined,
      },
    ];
  });
}

export const nameOf = ({ file, line }: Pick<Snippet, 'file' | 'line'>) =>
  `${file.replaceAll(/[^a-zA-Z0-9]+/g, '-')}-line-${line}`;

function configFor(root: string, folder: string): object {
  const up = relative(folder, root).replaceAll('\\', '/');
  return {
    extends: `${up}/tsconfig.json`,
    compilerOptions: { noEmit: true, skipLibCheck: true, paths: packagePaths() },
    include: ['./*.ts'],
  };
}

/** What is needed to compile a snippet. */
export type Compiled = Pick<Snippet, 'file' | 'line' | 'code' | 'checked'>;

/** Compiles the checked snippets against the package; the messages name the Markdown file and line. */
export function typeErrors(root: string, folder: string, snippets: readonly Compiled[]): string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const checked = snippets.filter((snippet) => snippet.checked);
  for (const snippet of checked)
    writeFileSync(join(folder, `${nameOf(snippet)}.ts`), `${snippet.code}\nexport {};\n`);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configFor(root, folder)));
  if (checked.length === 0) return [];
  const compiler = join(root, 'node_modules/typescript7/bin/tsc');
  try {
    execFileSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return [];
  } catch (error) {
    const output = String((error as { stdout?: string }).stdout ?? error);
    // a message goes on in indented lines; those of the sources are the concern of `npm run typecheck`, those of
    // packages that of their makers
    const messages = output
      .split(/\n(?=\S)/)
      .filter((message) => message.trim() !== '' && !/^(?:src\/|\S*node_modules\/)/.test(message));
    return messages.map((message) => located(message.trimEnd(), checked));
  }
}

function located(message: string, snippets: readonly Compiled[]): string {
  const [, name, line] = message.match(/([^/\\]+)\.ts\((\d+),/) ?? [];
  const snippet = snippets.find((candidate) => nameOf(candidate) === name);
  return snippet === undefined
    ? message
    : `${snippet.file}:${snippet.line + Number(line)}${message.slice(message.indexOf(')') + 1)}`;
}
