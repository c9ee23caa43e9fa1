import { type Artifacts, artifactsOf } from '../../core/artifact.js';
import { eventTurns } from '../event-turns.js';
import { parsedOnce } from '../parsed-once.js';
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

/** The pages of an output, and the unreadable ones. */
export interface Pages {
  readonly pages: readonly Page[];
  readonly unreadable: readonly { readonly file: string; readonly reason: string }[];
}

const deepest = 1000;
const mostNodes = 500_000;
const otherFormats =
  /\.(?:svg|png|jpe?g|gif|webp|avif|pdf|fig|sketch|xd|psd|json|ya?ml|md|mdx|txt|css|s[ac]ss|less|[cm]?[jt]sx?|vue|svelte|astro)$/i;

/** Returns whether an artifact is HTML: by its path, or as a mockup with tags. */
export function isHtml({
  type,
  path,
  content,
}: {
  readonly type: string;
  readonly path: string;
  readonly content?: string | undefined;
}): boolean {
  if (/\.x?html?$/i.test(path)) return true;
  return (
    (type === 'mockup' || type === 'html') &&
    !otherFormats.test(path) &&
    /<[a-z!]/i.test(content ?? '')
  );
}

/** Parses the HTML artifacts of an output. */
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
