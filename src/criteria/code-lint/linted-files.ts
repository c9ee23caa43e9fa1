import { type Artifact, type Artifacts, artifactsOf } from '../../core/artifact.js';
import { attribute, type Element, type Page } from '../html/dom.js';
import { isHtml, pagesOf } from '../html/page.js';
import type { LintedText } from './lint-text.js';

/** Code of a file, at the lines where it stands. */
export interface LintedFile extends LintedText {
  readonly file: string;
}

/** The code of an output, and the files that cannot be read. */
export interface LintedFiles {
  readonly files: readonly LintedFile[];
  readonly unread: readonly string[];
}

const longest = 2_000_000;
const script = /^(?:|module|(?:text|application)\/(?:javascript|ecmascript|x-javascript))$/i;

/** Returns whether an artifact may contain code that is judged. */
export function mayHoldScript(artifact: Artifact): boolean {
  return languageOf(artifact.path) !== undefined || isHtml(artifact);
}

/** Returns the JavaScript and TypeScript of an output, also in pages. */
export async function lintedFiles(output: Artifacts): Promise<LintedFiles> {
  const artifacts = artifactsOf(output);
  const unread: string[] = [];
  const files = artifacts.flatMap(({ path, content }): LintedFile[] => {
    const language = languageOf(path);
    if (language === undefined || content === undefined || content.trim() === '') return [];
    if (content.length > longest) {
      unread.push(`${path} is longer than ${longest} characters`);
      return [];
    }
    return [{ file: path, code: content, language, as: kindsOf(path) }];
  });
  const { pages, unreadable } = await pagesOf({ artifacts: artifacts.filter(isHtml) });
  unread.push(...unreadable.map(({ file, reason }) => `${file}: ${reason}`));
  return { files: [...files, ...pages.flatMap(scriptsOf)], unread };
}

function languageOf(path: string): LintedText['language'] | undefined {
  const ending = /\.([cm]?[jt]s|[jt]sx)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === undefined) return undefined;
  if (ending.includes('j')) return 'js';
  return ending === 'tsx' ? 'tsx' : 'ts';
}

function kindsOf(path: string): LintedText['as'] {
  if (/\.(?:mjs|mts|tsx|jsx)$/i.test(path)) return ['module'];
  return /\.c[jt]s$/i.test(path) ? ['commonjs'] : ['module', 'commonjs'];
}

/** Returns the scripts of a page. All else is blanked, so lines and columns stay. */
function scriptsOf(page: Page): LintedFile[] {
  return page.elements.flatMap((element) => {
    const place = placeOf(element);
    const type = attribute(element, 'type')?.trim().toLowerCase() ?? '';
    if (place === undefined || !script.test(type) || attribute(element, 'src') !== undefined)
      return [];
    const code =
      page.source.slice(0, place.start).replaceAll(/[^\r\n\u2028\u2029]/g, ' ') +
      page.source.slice(place.start, place.end);
    if (code.trim() === '') return [];
    return [
      { file: page.file, code, language: 'js', as: [type === 'module' ? 'module' : 'script'] },
    ];
  });
}

function placeOf(element: Element): { readonly start: number; readonly end: number } | undefined {
  if (element.tagName !== 'script') return undefined;
  const { startTag, endTag, endOffset } = element.sourceCodeLocation ?? {};
  if (startTag === undefined || endOffset === undefined) return undefined;
  return { start: startTag.endOffset, end: endTag?.startOffset ?? endOffset };
}
