import { type Artifact, type Artifacts, artifactsOf } from '../../../core/artifact.js';
import { cutAroundSecrets } from '../../../core/redact/secrets.js';
import type { Edit, Found } from '../artifact-criterion.js';
import { eventTurns, parsedOnce } from '../parsed-once.js';
import { sourceLines } from '../source-lines.js';
import {
  attribute,
  descendantsOf,
  type Element,
  groupBy,
  type Page,
  type StyleFact,
} from './dom.js';
import { styleFacts } from './model/styles.js';

type Parser = typeof import('parse5');

export interface Pages {
  readonly pages: readonly Page[];
  readonly unreadable: readonly { readonly file: string; readonly reason: string }[];
}

const deepest = 1000;

const mostNodes = 500_000;

const otherFormats =
  /\.(?:svg|png|jpe?g|gif|webp|avif|pdf|fig|sketch|xd|psd|json|ya?ml|md|mdx|txt|css|s[ac]ss|less|[cm]?[jt]sx?|vue|svelte|astro)$/i;

/** By its path, or as a mockup with tags. */
export function isHtml({ type, path, content }: Artifact): boolean {
  if (/\.x?html?$/i.test(path)) return true;
  return (
    (type === 'mockup' || type === 'html') &&
    !otherFormats.test(path) &&
    /<[a-z!]/i.test(content ?? '')
  );
}

export async function pagesOf(output: Artifacts): Promise<Pages> {
  const artifacts = artifactsOf(output).filter(
    (artifact) => isHtml(artifact) && (artifact.content ?? '').trim() !== '',
  );
  const pages: Page[] = [];
  const unreadable: { file: string; reason: string }[] = [];
  for (const { path, content = '' } of artifacts) {
    const turn = eventTurns.next();
    if (turn !== undefined) await turn;
    const page = await readPage(path, content);
    if (typeof page === 'string') unreadable.push({ file: path, reason: page });
    else pages.push(page);
  }
  return { pages, unreadable };
}

const readPage = parsedOnce<Page>(async (file, source) => {
  const page = parsePage(await import('parse5'), file, source);
  if (page === undefined) return `more than ${deepest} levels or ${mostNodes} nodes`;
  return { ...page, styles: await styleFacts(page.elements) };
});

function parsePage(parser: Parser, file: string, source: string): Page | undefined {
  let nodes = 0;
  let depth = 0;
  const adapter = parser.defaultTreeAdapter;
  const createElement: typeof adapter.createElement = (...given) => {
    nodes += 1;
    if (nodes > mostNodes) throw new RangeError('too many nodes');
    return adapter.createElement(...given);
  };
  // the parser's time grows with the square of the depth; browsers stop at 512 levels
  const onItemPush = (): void => {
    depth += 1;
    if (depth > deepest) throw new RangeError('too many levels');
  };
  const onItemPop = (): void => {
    depth -= 1;
  };
  const repeatedAttributes: number[] = [];
  const onParseError = ({ code, startOffset }: { code: string; startOffset: number }): void => {
    if (code === 'duplicate-attribute') repeatedAttributes.push(startOffset);
  };
  try {
    // the parser removes a byte order mark and would count offsets without it
    const document = parser.parse(source.replace(/^\uFEFF/, ' '), {
      sourceCodeLocationInfo: true,
      treeAdapter: { ...adapter, createElement, onItemPush, onItemPop },
      onParseError,
    });
    const elements = [...descendantsOf(document)];
    const doctype = document.childNodes.find((node) => node.nodeName === '#documentType');
    const doctypeEnd = doctype?.sourceCodeLocation?.endOffset;
    const isDocument =
      doctypeEnd !== undefined ||
      elements.some(
        ({ tagName, sourceCodeLocation }) =>
          /^(?:html|head|body|title)$/.test(tagName) && sourceCodeLocation?.startTag !== undefined,
      );
    return {
      file,
      source,
      elements,
      byId: groupBy(elements, (element) => attribute(element, 'id') || undefined),
      // the parser counts one line too many behind a line that ends with `&`
      lineAt: sourceLines(source).lineAt,
      isDocument,
      doctypeEnd,
      repeatedAttributes,
      styles: new Map<Element, StyleFact>(),
      framed: framedIn(parser, elements),
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function framedIn(parser: Parser, elements: readonly Element[]): Map<Element, Page> {
  const framed = new Map<Element, Page>();
  for (const element of elements) {
    const inner = element.tagName === 'iframe' ? attribute(element, 'srcdoc') : undefined;
    if (inner === undefined || /<iframe[^>]{0,500}srcdoc/i.test(inner)) continue;
    const page = parsePage(parser, 'srcdoc', inner);
    if (page !== undefined) framed.set(element, page);
  }
  return framed;
}

const longestQuote = 500;

export type FoundAt = Pick<Found, 'description' | 'suggestedFix' | 'edits' | 'severity'>;

export function foundAt(page: Page, element: Element, finding: FoundAt): Found {
  const { description, suggestedFix, edits, severity } = finding;
  const place = element.sourceCodeLocation?.startTag ?? element.sourceCodeLocation ?? undefined;
  return {
    description,
    ...(suggestedFix !== undefined && { suggestedFix }),
    ...(severity !== undefined && { severity }),
    ...(edits !== undefined && { edits }),
    file: page.file,
    line: page.lineAt(place?.startOffset ?? 0),
    ...(place !== undefined && {
      evidence: cutAroundSecrets(
        page.source.slice(place.startOffset, place.endOffset),
        longestQuote,
      ),
    }),
  };
}

export function foundInPage(page: Page, finding: FoundAt): Found {
  const first = page.elements.find((element) => element.sourceCodeLocation?.startTag !== undefined);
  if (first !== undefined && (first.tagName === 'html' || page.doctypeEnd === undefined))
    return { ...foundAt(page, first, finding), once: true };
  const evidence = page.source.slice(0, Math.min(page.doctypeEnd ?? 80, longestQuote));
  return { ...finding, file: page.file, line: 1, evidence, once: true };
}

/** `id-2`, `id-3` and so on. */
export function* freeIds({ byId }: Page, id: string): Generator<string, never> {
  for (let number = 2; ; number += 1) if (!byId.has(`${id}-${number}`)) yield `${id}-${number}`;
}

export function addAttribute(element: Element, name: string, value: string): Edit | undefined {
  const start =
    element.sourceCodeLocation?.startTag?.startOffset ?? element.sourceCodeLocation?.startOffset;
  if (start === undefined || attribute(element, name) !== undefined) return undefined;
  const at = start + 1 + element.tagName.length;
  return { start: at, end: at, text: ` ${written(name, value)}` };
}

export function setAttribute(element: Element, name: string, value: string): Edit | undefined {
  const place = element.sourceCodeLocation?.attrs?.[name];
  if (place === undefined) return addAttribute(element, name, value);
  return { start: place.startOffset, end: place.endOffset, text: written(name, value) };
}

function written(name: string, value: string): string {
  return `${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
}

export function uncheckedAt(page: Page, element: Element, reason: string): string {
  return `${page.file}:${page.lineAt(element.sourceCodeLocation?.startOffset ?? 0)} ${reason}`;
}
