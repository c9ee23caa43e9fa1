import type { CssNode } from 'css-tree';
import type { AgentOutput } from '../../kernel/agent.js';
import { artifactsOf } from '../../kernel/artifact.js';

type Parser = typeof import('css-tree');

/** One stylesheet, parsed. */
export interface Stylesheet {
  readonly file: string;
  readonly source: string;
  readonly root: CssNode;
  readonly parser: Pick<Parser, 'walk' | 'generate'>;
}

/** The stylesheets of an output, and those that could not be read. */
export interface Stylesheets {
  readonly sheets: readonly Stylesheet[];
  readonly unreadable: readonly string[];
}

const longest = 5_000_000;

/** Whether an artifact is a stylesheet. */
export function isStylesheet({ type, path }: { readonly type: string; readonly path: string }): boolean {
  return type === 'stylesheet' || /\.(?:css|scss|sass|less|pcss|postcss)$/i.test(path);
}

/** Parses the stylesheets of an output. SCSS and Less are read as far as they look like CSS. */
export async function stylesheetsOf(output: AgentOutput): Promise<Stylesheets> {
  const artifacts = artifactsOf(output).filter(isStylesheet);
  if (artifacts.length === 0) return { sheets: [], unreadable: [] };
  const parser = await import('css-tree');
  const sheets: Stylesheet[] = [];
  const unreadable: string[] = [];
  for (const { path, content = '' } of artifacts) {
    const root = /\.sass$/i.test(path) || content.length > longest ? undefined : parseSheet(parser, path, content);
    if (root === undefined) unreadable.push(path);
    else sheets.push({ file: path, source: content, root, parser });
  }
  return { sheets, unreadable };
}

/** The tree, unless more of the text was refused than understood. */
function parseSheet(parser: Parser, path: string, content: string): CssNode | undefined {
  const source = /\.(?:scss|less)$/i.test(path) ? withoutLineComments(content) : content;
  let errors = 0;
  let understood = 0;
  try {
    const root = parser.parse(source, {
      positions: true,
      parseCustomProperty: false,
      onParseError: (_, node: CssNode | null) => {
        if (node?.type !== 'Raw' || !isForeign(source, node)) errors += 1;
      },
    });
    parser.walk(root, (node) => {
      if (node.type === 'Declaration' || node.type === 'Atrule') understood += 1;
    });
    return errors > understood || (understood === 0 && hasText(source)) ? undefined : root;
  } catch {
    return undefined;
  }
}

/** What is no CSS but well known: variables, nesting and interpolation of SCSS and Less. */
function isForeign(source: string, node: CssNode): boolean {
  const start = node.loc?.start.offset;
  return start !== undefined && /^[^{}]{0,200}[$@#&]/.test(source.slice(start, start + 201));
}

function hasText(source: string): boolean {
  return source.replaceAll(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '').trim() !== '';
}

/** Blanks `// ...`, of the same length, so that places stay. */
function withoutLineComments(source: string): string {
  return source.replaceAll(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|url\([^)\n]*\)|\/\/[^\r\n]*/g, (found) =>
    found.startsWith('//') ? ' '.repeat(found.length) : found,
  );
}
