import type { Atrule, CssNode, Declaration, Rule } from 'css-tree';
import { attribute, type Element, rawText, type StyleFact } from '../dom.js';
import { matches, readSelector, type SimpleSelector } from './selectors.js';

type Parser = typeof import('css-tree');
type Property = 'display' | 'visibility' | 'content';

interface Candidate {
  readonly selector: SimpleSelector;
  readonly property: Property;
  readonly value: string;
  /** Importance, specificity and order in one number. */
  readonly rank: number;
}

const relevant = /display|visibility|content\s*:/i;
const longest = 2_000_000;
const mostTests = 3_000_000;

/** The text of a page's own styles that may hide something; '' where there is none. */
export function hidingStyles(elements: readonly Element[]): string {
  const texts = elements.filter((element) => element.tagName === 'style' && appliesToScreen(attribute(element, 'media') ?? '')).map(rawText);
  const text = texts.join('\n');
  return relevant.test(text) && text.length <= longest ? text : '';
}

function appliesToScreen(media: string): boolean {
  return /^\s*(?:all|screen)?\s*$/i.test(media);
}

/** What styles say of each element; nothing where they cannot be read or are too many. */
export function styleFacts(css: string, elements: readonly Element[], parser: Parser): ReadonlyMap<Element, StyleFact> {
  const candidates = candidatesOf(css, parser);
  const index = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const key = keyOf(candidate.selector);
    const same = index.get(key);
    if (same === undefined) index.set(key, [candidate]);
    else same.push(candidate);
  }
  const facts = new Map<Element, StyleFact>();
  let tests = 0;
  for (const element of elements) {
    const near = keysOf(element).flatMap((key) => index.get(key) ?? []);
    tests += near.length;
    if (tests > mostTests) return new Map();
    const fact = near.length === 0 ? undefined : factOf(near, element);
    if (fact !== undefined) facts.set(element, fact);
  }
  return facts;
}

function factOf(near: readonly Candidate[], element: Element): StyleFact | undefined {
  const best = new Map<Property, Candidate>();
  for (const candidate of near) {
    const held = best.get(candidate.property);
    if ((held === undefined || candidate.rank > held.rank) && matches(candidate.selector, element)) best.set(candidate.property, candidate);
  }
  if (best.size === 0) return undefined;
  return { display: best.get('display')?.value, visibility: best.get('visibility')?.value, generated: /^(?:"[^"]*[^\s"]|'[^']*[^\s']|attr\()/.test(best.get('content')?.value ?? '') };
}

function keyOf({ compounds: [last] }: SimpleSelector): string {
  if (last?.id !== undefined) return `#${last.id}`;
  if (last?.classes[0] !== undefined) return `.${last.classes[0]}`;
  return last?.tag ?? '*';
}

function keysOf(element: Element): string[] {
  const id = attribute(element, 'id');
  const classes = (attribute(element, 'class') ?? '').split(/\s+/, 50).filter((name) => name !== '');
  return ['*', element.tagName, ...(id === undefined ? [] : [`#${id}`]), ...new Set(classes.map((name) => `.${name}`))];
}

function candidatesOf(css: string, parser: Parser): Candidate[] {
  const found: Candidate[] = [];
  try {
    const root = parser.parse(css, { parseCustomProperty: false, parseAtrulePrelude: false, onParseError: () => undefined });
    for (const rule of rulesIn(root)) collect(rule, parser, found);
  } catch {
    return [];
  }
  return found;
}

/** The rules that always apply on a screen: those of layers and of `@media screen` too. */
function* rulesIn(root: CssNode): Generator<Rule> {
  const waiting: CssNode[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'Rule') yield node;
    else if (node.type === 'StyleSheet') waiting.push(...node.children.toArray().reverse());
    else if (node.type === 'Atrule' && isUnconditional(node)) waiting.push(...(node.block?.children.toArray().reverse() ?? []));
  }
}

function isUnconditional({ name, prelude }: Atrule): boolean {
  if (/^layer$/i.test(name)) return true;
  return /^media$/i.test(name) && prelude?.type === 'Raw' && appliesToScreen(prelude.value);
}

function collect({ prelude, block }: Rule, parser: Parser, found: Candidate[]): void {
  const declared = block.children.toArray().flatMap((node) => (node.type === 'Declaration' && isProperty(node.property.toLowerCase()) ? [declarationOf(node, parser)] : []));
  if (prelude.type !== 'SelectorList' || declared.length === 0) return;
  const selectors = prelude.children.toArray().flatMap((node) => (node.type === 'Selector' ? (readSelector(node) ?? []) : []));
  for (const selector of selectors) {
    for (const { important, ...rest } of declared.filter(({ property }) => (property === 'content') === (selector.pseudo !== undefined))) {
      found.push({ selector, ...rest, rank: (important ? 1e12 : 0) + selector.specificity * 1e6 + found.length });
    }
  }
}

function isProperty(name: string): name is Property {
  return name === 'display' || name === 'visibility' || name === 'content';
}

function declarationOf({ property, value, important }: Declaration, parser: Parser): { readonly property: Property; readonly value: string; readonly important: boolean } {
  return { property: property.toLowerCase() as Property, value: parser.generate(value).trim().toLowerCase(), important: important !== false };
}
