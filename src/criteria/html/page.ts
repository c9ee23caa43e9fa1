import type { DefaultTreeAdapterTypes } from 'parse5';
import type { AgentOutput } from '../../kernel/agent.js';
import { artifactsOf } from '../../kernel/artifact.js';

/** An element of a parsed page. */
export type Element = DefaultTreeAdapterTypes.Element;
/** A node below a parent. */
export type ChildNode = DefaultTreeAdapterTypes.ChildNode;
type Node = DefaultTreeAdapterTypes.Node;
type Parser = typeof import('parse5');

/** One HTML artifact, parsed. */
export interface Page {
  readonly file: string;
  readonly source: string;
  /** In document order, without what stands inside `<template>`. */
  readonly elements: readonly Element[];
  readonly byId: ReadonlyMap<string, readonly Element[]>;
  /** The 1-based line of an offset in the source. */
  readonly lineAt: (offset: number) => number;
  /** A whole document, not a part of one. */
  readonly isDocument: boolean;
  /** Where the doctype ends, if there is one. */
  readonly doctypeEnd: number | undefined;
}

/** The pages of an output, and those that could not be read. */
export interface Pages {
  readonly pages: readonly Page[];
  readonly unreadable: readonly { readonly file: string; readonly reason: string }[];
}

const deepest = 1000;
const mostNodes = 500_000;
const otherFormats = /\.(?:svg|png|jpe?g|gif|webp|avif|pdf|fig|sketch|xd|psd|json|ya?ml|md|mdx|txt|css|s[ac]ss|less|[cm]?[jt]sx?|vue|svelte|astro)$/i;

/** Whether an artifact is to be read as HTML: by its path, or because it is a mockup that holds tags. */
export function isHtml({ type, path, content }: { readonly type: string; readonly path: string; readonly content?: string | undefined }): boolean {
  if (/\.x?html?$/i.test(path)) return true;
  return (type === 'mockup' || type === 'html') && !otherFormats.test(path) && /<[a-z!]/i.test(content ?? '');
}

/** Parses the HTML artifacts of an output. */
export async function pagesOf(output: AgentOutput): Promise<Pages> {
  const artifacts = artifactsOf(output).filter((artifact) => isHtml(artifact) && (artifact.content ?? '').trim() !== '');
  if (artifacts.length === 0) return { pages: [], unreadable: [] };
  const parser = await import('parse5');
  const pages: Page[] = [];
  const unreadable: { file: string; reason: string }[] = [];
  for (const { path, content = '' } of artifacts) {
    const page = nestsTooDeep(content) ? undefined : parsePage(parser, path, content);
    if (page === undefined) unreadable.push({ file: path, reason: `more than ${deepest} levels or ${mostNodes} nodes` });
    else pages.push(page);
  }
  return { pages, unreadable };
}

function parsePage(parser: Parser, file: string, source: string): Page | undefined {
  const bom = source.startsWith('\uFEFF') ? 1 : 0;
  let nodes = 0;
  const adapter = parser.defaultTreeAdapter;
  const createElement: typeof adapter.createElement = (...given) => {
    nodes += 1;
    if (nodes > mostNodes) throw new RangeError('too many nodes');
    return adapter.createElement(...given);
  };
  try {
    // The parser drops a byte order mark and would count offsets without it.
    const document = parser.parse(bom === 0 ? source : ` ${source.slice(1)}`, { sourceCodeLocationInfo: true, treeAdapter: { ...adapter, createElement } });
    const elements = elementsBelow(document);
    const doctype = document.childNodes.find((node) => node.nodeName === '#documentType');
    const doctypeEnd = doctype?.sourceCodeLocation?.endOffset;
    const isDocument = doctypeEnd !== undefined || elements.some(({ tagName, sourceCodeLocation }) => /^(?:html|head|body|title)$/.test(tagName) && sourceCodeLocation?.startTag !== undefined);
    return { file, source, elements, byId: idsOf(elements), lineAt: lineCounter(source), isDocument, doctypeEnd };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function elementsBelow(root: DefaultTreeAdapterTypes.Document): Element[] {
  const found: Element[] = [];
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('tagName' in node) found.push(node);
    if (!('childNodes' in node)) continue;
    for (let index = node.childNodes.length - 1; index >= 0; index -= 1) {
      const child = node.childNodes[index];
      if (child !== undefined) waiting.push(child);
    }
  }
  return found;
}

function idsOf(elements: readonly Element[]): Map<string, Element[]> {
  const ids = new Map<string, Element[]>();
  for (const element of elements) {
    const id = attribute(element, 'id');
    if (id === undefined || id === '') continue;
    const same = ids.get(id);
    if (same === undefined) ids.set(id, [element]);
    else same.push(element);
  }
  return ids;
}

/** The parser's own line numbers are one too high where a line ends right after `&`. */
function lineCounter(source: string): Page['lineAt'] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/** The parser's time grows with the square of the depth; browsers stop at 512 levels. */
function nestsTooDeep(source: string): boolean {
  let depth = 0;
  for (const { 1: closing, 2: name = '' } of source.matchAll(/<(\/?)([a-z][a-z0-9-]{0,40})/gi)) {
    if (/^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|tr|td|th|thead|tbody|tfoot|option|optgroup|rp|rt)$/i.test(name)) continue;
    depth = closing === '/' ? Math.max(0, depth - 1) : depth + 1;
    if (depth > deepest) return true;
  }
  return false;
}

/** The value of an attribute. */
export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((candidate) => candidate.name === name)?.value;
}
