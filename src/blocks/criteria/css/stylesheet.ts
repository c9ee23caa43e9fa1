import type { CssNode, Declaration, Rule } from 'css-tree';
import { type Artifact, type Artifacts, artifactsOf } from '../../../core/artifact.js';
import { type Found, listed } from '../artifact-criterion.js';
import { type CssParser, loadCssParser } from '../css-parser.js';
import { parsedOnce } from '../parsed-once.js';
import { sourceLines } from '../source-lines.js';

export interface Stylesheet {
  readonly file: string;
  readonly source: string;
  readonly root: CssNode;
  readonly parser: Pick<CssParser, 'walk' | 'generate'>;
  readonly brokenLines: readonly number[];
}

export interface Stylesheets {
  readonly sheets: readonly Stylesheet[];
  readonly unchecked: readonly string[];
}

const longest = 5_000_000;

const deepest = 500;

/** The most blocks. Each may take the rules some hundredths of a millisecond. */
const mostBlocks = 25_000;

export function isStylesheet({ type, path }: Artifact): boolean {
  return type === 'stylesheet' || /\.(?:css|scss|sass|less|styl|pcss|postcss)$/i.test(path);
}

/** Also of the `<style>` blocks of pages. SCSS, Less and other languages are not checked. */
export async function stylesheetsOf(output: Artifacts): Promise<Stylesheets> {
  const sources = artifactsOf(output).flatMap((artifact) => {
    const { path, content = '' } = artifact;
    if (isStylesheet(artifact))
      return [{ path, css: content, language: /\.(scss|sass|less|styl)$/i.exec(path)?.[1] }];
    return stylesIn(artifact).map(({ css, language }) => ({ path, css, language }));
  });
  const sheets: Stylesheet[] = [];
  const unchecked: string[] = [];
  for (const { path, css, language } of sources) {
    const foreign = foreignIn(css, language);
    const sheet =
      foreign === undefined
        ? await readSheet(path, css)
        : `${path}:${foreign.line} ${foreign.reason}`;
    if (typeof sheet === 'string') unchecked.push(sheet);
    else sheets.push(sheet);
  }
  return { sheets, unchecked };
}

function foreignIn(
  source: string,
  language: string | undefined,
): { readonly line: number; readonly reason: string } | undefined {
  if (source.length > longest) return { line: 1, reason: `is longer than ${longest} characters` };
  if (nestsTooDeep(source)) return { line: 1, reason: `nests deeper than ${deepest} levels` };
  if (source.split('{', mostBlocks + 2).length > mostBlocks + 1)
    return { line: 1, reason: `has more than ${mostBlocks} blocks` };
  const sign =
    /^[ \t]*(?:\$[\w-]+[ \t]*:|@(?:mixin|include|extend|function|use|forward|if|each|for|while)\b|@[\w-]+[ \t]*:[^;{}]*;|\.[\w-]+\(\);)/m.exec(
      language === undefined ? withoutComments(source) : source,
    );
  if (language === undefined && sign === null) return undefined;
  const name =
    language === undefined ? 'SCSS or Less' : (languages[language.toLowerCase()] ?? language);
  return { line: sourceLines(source).lineAt(sign?.index ?? 0), reason: `is ${name}, not CSS` };
}

const languages: Readonly<Record<string, string>> = {
  ...{ scss: 'SCSS', sass: 'Sass', less: 'Less', styl: 'Stylus' },
};

const readSheet = parsedOnce<Stylesheet>(async (file, source) => {
  const parser = await loadCssParser();
  const brokenLines: number[] = [];
  let understood = 0;
  try {
    const root = parser.parse(source, {
      positions: true,
      parseCustomProperty: false,
      onParseError: (error) => brokenLines.push(error.line),
    });
    parser.walk(root, (node) => {
      if (node.type === 'Declaration' || node.type === 'Atrule') understood += 1;
    });
    const isBroken =
      brokenLines.length * 2 > understood ||
      (understood === 0 && withoutComments(source).trim() !== '');
    return isBroken
      ? `${file}:${brokenLines[0] ?? 1} is not CSS`
      : { file, source, root, parser, brokenLines };
  } catch {
    return `${file}:${brokenLines[0] ?? 1} is not CSS`;
  }
});

function nestsTooDeep(source: string): boolean {
  let depth = 0;
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === 123 || code === 40 || code === 91) depth += 1;
    else if (code === 125 || code === 41 || code === 93) depth = Math.max(0, depth - 1);
    if (depth > deepest) return true;
  }
  return false;
}

/** Blanks comments and strings, at the same length. */
function withoutComments(source: string): string {
  return source.replaceAll(
    /\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/g,
    (found) => found.replaceAll(/[^\n]/g, ' '),
  );
}

export function aside({ sheets, unchecked }: Stylesheets): string {
  const broken = sheets.flatMap(({ file, brokenLines }) =>
    brokenLines.map((line) => `${file}:${line}`),
  );
  const left = [...unchecked, ...broken];
  return left.length === 0 ? '' : `; not checked: ${listed(left)}`;
}

export interface StyleBlock {
  readonly css: string;
  readonly language: string | undefined;
}

/** The rest is blanked, so lines and offsets stay. */
function stylesIn({ type, path, content = '' }: Artifact): StyleBlock[] {
  if (!/\.(?:x?html?|vue|svelte|astro)$/i.test(path) && type !== 'mockup' && type !== 'html')
    return [];
  if (content.length > longest || !/<style/i.test(content)) return [];
  const plain: { readonly start: number; readonly end: number }[] = [];
  const foreign: StyleBlock[] = [];
  const hidden = content.replaceAll(
    /<!--[\s\S]*?(?:-->|$)|<script\b[^<>]*>[\s\S]*?(?:<\/script|$)/gi,
    blank,
  );
  for (const { attributes, start, end } of blocksOf(hidden)) {
    const language = /\blang\s*=\s*["']?([\w-]+)/i.exec(attributes)?.[1]?.toLowerCase();
    if (language === undefined || language === 'css' || language === 'postcss')
      plain.push({ start, end });
    else foreign.push({ css: keep(content, [{ start, end }]), language });
  }
  return [
    ...(plain.length === 0 ? [] : [{ css: keep(content, plain), language: undefined }]),
    ...foreign,
  ];
}

function* blocksOf(
  text: string,
): Generator<{ readonly attributes: string; readonly start: number; readonly end: number }> {
  const opening = /<style\b([^>]{0,1000})>/gi;
  for (let tag = opening.exec(text); tag !== null; tag = opening.exec(text)) {
    const start = tag.index + tag[0].length;
    const closing = /<\/style/gi;
    closing.lastIndex = start;
    const end = closing.exec(text)?.index ?? text.length;
    opening.lastIndex = end;
    yield { attributes: tag[1] ?? '', start, end };
  }
}

function keep(
  content: string,
  blocks: readonly { readonly start: number; readonly end: number }[],
): string {
  let at = 0;
  const parts: string[] = [];
  for (const { start, end } of blocks) {
    parts.push(blank(content.slice(at, start)), content.slice(start, end));
    at = end;
  }
  return parts.join('');
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

export interface Declared {
  readonly sheet: Stylesheet;
  readonly rule: Rule;
  readonly declaration: Declaration;
  /** The name in lower case; a custom property keeps its letters. */
  readonly property: string;
}

/** Descriptors of at-rules, such as `src`, are left out. */
export function declaredIn(sheets: readonly Stylesheet[]): Declared[] {
  return sheets.flatMap((sheet) => {
    const declared: Declared[] = [];
    sheet.parser.walk(sheet.root, {
      visit: 'Rule',
      enter: (rule) => {
        for (const declaration of rule.block.children.toArray())
          if (declaration.type === 'Declaration')
            declared.push({ sheet, rule, declaration, property: nameOf(declaration) });
      },
    });
    return declared;
  });
}

function nameOf({ property }: Declaration): string {
  return property.startsWith('--') ? property : property.toLowerCase();
}

export function valueText({ sheet, declaration }: Declared): string {
  return sheet.parser.generate(declaration.value).trim();
}

export function foundIn(
  { file, source }: Stylesheet,
  { loc }: CssNode,
  about: Pick<Found, 'description' | 'suggestedFix' | 'severity'>,
): Found {
  if (loc === undefined || loc === null) return { ...about, file };
  const end = Math.min(loc.end.offset, loc.start.offset + 200);
  return {
    ...about,
    file,
    line: loc.start.line,
    evidence: source.slice(loc.start.offset, end).trimEnd(),
  };
}
