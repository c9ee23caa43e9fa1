import type { Atrule, CssNode, Declaration, Rule } from 'css-tree';
import type { CssParser } from '../../css-parser.js';
import { attribute, type Element, rawText } from '../dom.js';
import { matches, readSelector, type SimpleSelector } from './selectors.js';

/** The properties to look up in styles. */
export interface Question<Property extends string> {
  readonly properties: readonly Property[];
  /** Returns whether the rules of a media query apply. */
  readonly applies: (media: string) => boolean;
  /** The properties of generated content (`::before`, `::after`). */
  readonly generated?: readonly Property[] | undefined;
}

interface Candidate<Property> {
  readonly selector: SimpleSelector;
  readonly property: Property;
  readonly value: string;
  /** Importance, specificity and order in one number. */
  readonly rank: number;
}

const longest = 2_000_000;
const mostTests = 3_000_000;

/**
 * Returns the text of a page's own styles for a screen, or '' without styles or with too much text.
 */
export function screenStyles(elements: readonly Element[]): string {
  const text = elements
    .filter(
      (element) => element.tagName === 'style' && isForScreen(attribute(element, 'media') ?? ''),
    )
    .map(rawText)
    .join('\n');
  return text.length <= longest ? text : '';
}

/** Returns whether a media query applies to every screen. */
export function isForScreen(media: string): boolean {
  return /^\s*(?:(?:all|screen)\s*)?$/i.test(media);
}

/**
 * Returns the style properties of elements. Only simple selectors count. Empty for unreadable or
 * too many styles.
 */
export function cascade<Property extends string>(
  rules: readonly StyleRule[],
  elements: readonly Element[],
  question: Question<Property>,
): Map<Element, ReadonlyMap<Property, string>> {
  const index = byKey(candidatesOf(rules, question));
  const values = new Map<Element, ReadonlyMap<Property, string>>();
  let tests = 0;
  for (const element of index.size === 0 ? [] : elements) {
    const near = keysOf(element).flatMap((key) => index.get(key) ?? []);
    tests += near.length;
    if (tests > mostTests) return new Map();
    const best = near.length === 0 ? undefined : bestOf(near, element);
    if (best !== undefined) values.set(element, best);
  }
  return values;
}

function byKey<Property>(
  candidates: Iterable<Candidate<Property>>,
): Map<string, Candidate<Property>[]> {
  const index = new Map<string, Candidate<Property>[]>();
  for (const candidate of candidates) {
    const key = keyOf(candidate.selector);
    const same = index.get(key);
    if (same === undefined) index.set(key, [candidate]);
    else same.push(candidate);
  }
  return index;
}

function bestOf<Property>(
  near: readonly Candidate<Property>[],
  element: Element,
): Map<Property, string> | undefined {
  const best = new Map<Property, Candidate<Property>>();
  for (const candidate of near) {
    const held = best.get(candidate.property);
    if ((held === undefined || candidate.rank > held.rank) && matches(candidate.selector, element))
      best.set(candidate.property, candidate);
  }
  return best.size === 0
    ? undefined
    : new Map(Array.from(best, ([property, { value }]) => [property, value]));
}

function keyOf({ compounds: [last] }: SimpleSelector): string {
  if (last?.id !== undefined) return `#${last.id}`;
  if (last?.classes[0] !== undefined) return `.${last.classes[0]}`;
  return last?.tag ?? '*';
}

function keysOf(element: Element): string[] {
  const id = attribute(element, 'id');
  const classes = (attribute(element, 'class') ?? '')
    .split(/\s+/, 50)
    .filter((name) => name !== '');
  return [
    '*',
    element.tagName,
    ...(id === undefined ? [] : [`#${id}`]),
    ...new Set(classes.map((name) => `.${name}`)),
  ];
}

/** One rule of a stylesheet. */
export interface StyleRule {
  readonly selectors: readonly SimpleSelector[];
  readonly declarations: readonly {
    readonly property: string;
    readonly value: string;
    readonly important: boolean;
  }[];
  /** The queries around it, outermost first. */
  readonly media: readonly string[];
}

/**
 * Returns the rules of a stylesheet that set at least one of some properties, in order. Empty if it
 * is unreadable.
 */
export function rulesOf(
  css: string,
  properties: ReadonlySet<string>,
  parser: CssParser,
): StyleRule[] {
  try {
    const root = parser.parse(css, {
      parseCustomProperty: false,
      parseAtrulePrelude: false,
      onParseError: () => undefined,
    });
    return Array.from(rulesIn(root), ({ rule, media }) =>
      ruleFrom({ rule, media, properties, parser }),
    ).filter(({ selectors, declarations }) => selectors.length > 0 && declarations.length > 0);
  } catch {
    return [];
  }
}

interface Placed<Node> {
  readonly media: readonly string[];
  readonly node: Node;
}

/** Returns the rules at the top level, in media queries or in layers. */
function* rulesIn(
  root: CssNode,
): Generator<{ readonly rule: Rule; readonly media: readonly string[] }> {
  const waiting: Placed<CssNode>[] = [{ media: [], node: root }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { media, node } = next;
    const below = (nodes: readonly CssNode[], around: readonly string[]): void =>
      void waiting.push(...nodes.toReversed().map((each) => ({ media: around, node: each })));
    if (node.type === 'Rule') yield { rule: node, media };
    else if (node.type === 'StyleSheet') below(node.children.toArray(), media);
    else if (node.type === 'Atrule') {
      const query = queryOf(node);
      if (query !== undefined && media.length < 5)
        below(node.block?.children.toArray() ?? [], [...media, query]);
    }
  }
}

function queryOf({ name, prelude }: Atrule): string | undefined {
  if (/^layer$/i.test(name)) return '';
  return /^media$/i.test(name) && prelude?.type === 'Raw' ? prelude.value : undefined;
}

interface Reading {
  readonly rule: Rule;
  readonly media: readonly string[];
  readonly properties: ReadonlySet<string>;
  readonly parser: CssParser;
}

function ruleFrom({ rule: { prelude, block }, media, properties, parser }: Reading): StyleRule {
  const declared = block.children
    .toArray()
    .filter(
      (node): node is Declaration =>
        node.type === 'Declaration' && properties.has(node.property.toLowerCase()),
    );
  if (prelude.type !== 'SelectorList' || declared.length === 0)
    return { selectors: [], declarations: [], media };
  const selectors = prelude.children
    .toArray()
    .flatMap((node) => (node.type === 'Selector' ? (readSelector(node) ?? []) : []));
  const declarations = declared.map(({ property, value, important }) => ({
    property: property.toLowerCase(),
    value: parser.generate(value).trim().toLowerCase(),
    important: important !== false,
  }));
  return { selectors, declarations, media };
}

function* candidatesOf<Property extends string>(
  rules: readonly StyleRule[],
  question: Question<Property>,
): Generator<Candidate<Property>> {
  let place = 0;
  for (const { selectors, declarations } of rules.filter(({ media }) =>
    media.every(question.applies),
  )) {
    for (const { selector, declaration } of selectors.flatMap((each) =>
      declarations.map((declared) => ({ selector: each, declaration: declared })),
    )) {
      const property = question.properties.find((each) => each === declaration.property);
      if (
        property === undefined ||
        isAboutGenerated(question, property) !== (selector.pseudo !== undefined)
      )
        continue;
      yield {
        selector,
        property,
        value: declaration.value,
        rank: (declaration.important ? 1e12 : 0) + selector.specificity * 1e6 + place,
      };
      place += 1;
    }
  }
}

function isAboutGenerated<Property extends string>(
  { generated = [] }: Question<Property>,
  property: Property,
): boolean {
  return generated.includes(property);
}
