import type { Atrule, CssNode, Declaration, Rule } from 'css-tree';
import { type CssParser, loadCssParser } from '../../css-parser.js';
import {
  attribute,
  closest,
  type Element,
  groupBy,
  parentOf,
  rawText,
  type StyleFact,
  wordsIn,
} from '../dom.js';

const longest = 2_000_000;
const mostTests = 3_000_000;
const mostSteps = 3000;
const mostParts = 6;
const properties = /^(?:display|visibility|content)$/i;

interface Style {
  readonly selector: readonly CssNode[];
  readonly property: string;
  readonly value: string;
  /** Importance, specificity and order in one number. */
  readonly rank: number;
}

/** Only simple selectors for every screen count. Empty for unreadable or too many styles. */
export async function styleFacts(
  elements: readonly Element[],
): Promise<ReadonlyMap<Element, StyleFact>> {
  const css = elements
    .filter(
      (element) => element.tagName === 'style' && isForScreen(attribute(element, 'media') ?? ''),
    )
    .map(rawText)
    .join('\n');
  if (css.length > longest || !/display|visibility|content\s*:/i.test(css)) return new Map();
  const styles = groupBy(stylesIn(css, await loadCssParser()), ({ selector }) => keyOf(selector));
  const facts = new Map<Element, StyleFact>();
  let tests = 0;
  for (const element of styles.size === 0 ? [] : elements) {
    const near = keysOf(element).flatMap((key) => styles.get(key) ?? []);
    tests += near.length;
    if (tests > mostTests) return new Map();
    if (near.length > 0) facts.set(element, factOf(element, near));
  }
  return facts;
}

function factOf(element: Element, styles: readonly Style[]): StyleFact {
  const best = new Map<string, Style>();
  for (const style of styles)
    if (
      style.rank > (best.get(style.property)?.rank ?? -1) &&
      fits(style.selector, element, { left: mostSteps })
    )
      best.set(style.property, style);
  const held = (property: string): string | undefined => best.get(property)?.value;
  return {
    display: held('display'),
    visibility: held('visibility'),
    generated: /^(?:"[^"]*[^\s"]|'[^']*[^\s']|attr\()/.test(held('content') ?? ''),
  };
}

function isForScreen(media: string): boolean {
  return /^\s*(?:(?:all|screen)\s*)?$/i.test(media);
}

function stylesIn(css: string, parser: CssParser): Style[] {
  try {
    const root = parser.parse(css, {
      parseCustomProperty: false,
      parseAtrulePrelude: false,
      onParseError: () => undefined,
    });
    const rules = root.type === 'StyleSheet' ? [...rulesIn(root.children.toArray())] : [];
    const found = rules.flatMap((rule) => stylesOf(rule, parser));
    return found.map((style, place) => ({ ...style, rank: style.rank + place }));
  } catch {
    return [];
  }
}

function* rulesIn(nodes: readonly CssNode[], depth = 0): Generator<Rule> {
  for (const node of nodes)
    if (node.type === 'Rule') yield node;
    else if (node.type === 'Atrule' && depth < 5 && applies(node))
      yield* rulesIn(node.block?.children.toArray() ?? [], depth + 1);
}

function applies({ name, prelude }: Atrule): boolean {
  if (/^layer$/i.test(name)) return true;
  return /^media$/i.test(name) && prelude?.type === 'Raw' && isForScreen(prelude.value);
}

function stylesOf({ prelude, block }: Rule, parser: CssParser): Style[] {
  const declared = block.children
    .toArray()
    .filter(
      (node): node is Declaration => node.type === 'Declaration' && properties.test(node.property),
    );
  if (prelude.type !== 'SelectorList' || declared.length === 0) return [];
  return prelude.children.toArray().flatMap((node) => {
    const parts = node.type === 'Selector' ? node.children.toArray() : [];
    const last = parts.at(-1);
    const generates =
      (last?.type === 'PseudoElementSelector' || last?.type === 'PseudoClassSelector') &&
      /^(?:before|after)$/i.test(last.name);
    const selector = generates ? parts.slice(0, -1) : parts;
    if (!isSimple(selector)) return [];
    return declared
      .filter(({ property }) => /content/i.test(property) === generates)
      .map(({ property, value, important }) => ({
        selector,
        property: property.toLowerCase(),
        value: parser.generate(value).trim().toLowerCase(),
        rank: (important === false ? 0 : 1e12) + specificity(selector) * 1e6,
      }));
  });
}

/** Returns whether markup alone decides a selector: no states, only ancestors and parents. */
function isSimple(selector: readonly CssNode[]): boolean {
  return (
    selector.filter(({ type }) => type === 'Combinator').length < mostParts &&
    selector.every(
      (node) =>
        /^(?:Id|Class)Selector$/.test(node.type) ||
        (node.type === 'Combinator' && /^[ >]$/.test(node.name)) ||
        (node.type === 'TypeSelector' && !node.name.includes('|')) ||
        (node.type === 'AttributeSelector' && (node.matcher ?? '=') === '=') ||
        (node.type === 'PseudoClassSelector' && node.name === 'root'),
    )
  );
}

function specificity(selector: readonly CssNode[]): number {
  return selector.reduce((sum, node) => {
    if (node.type === 'IdSelector') return sum + 10_000;
    if (node.type === 'ClassSelector' || node.type === 'AttributeSelector') return sum + 100;
    return node.type === 'Combinator' || ('name' in node && node.name === '*') ? sum : sum + 1;
  }, 0);
}

/** Returns what an element must have so that a selector may fit: an id, a class or a name. */
function keyOf(selector: readonly CssNode[]): string {
  const start = selector.findLastIndex(({ type }) => type === 'Combinator') + 1;
  const last = selector.slice(start);
  for (const node of last) if (node.type === 'IdSelector') return `#${node.name}`;
  for (const node of last) if (node.type === 'ClassSelector') return `.${node.name}`;
  for (const node of last) if (node.type === 'TypeSelector') return node.name.toLowerCase();
  return '*';
}

function keysOf(element: Element): string[] {
  const id = attribute(element, 'id');
  const classes = new Set(wordsIn(element, 'class').map((name) => `.${name}`));
  return ['*', element.tagName, ...(id === undefined ? [] : [`#${id}`]), ...classes];
}

function fits(
  selector: readonly CssNode[],
  element: Element | undefined,
  steps: { left: number },
): boolean {
  steps.left -= 1;
  if (element === undefined || steps.left < 0) return false;
  const at = selector.findLastIndex(({ type }) => type === 'Combinator');
  if (!selector.slice(at + 1).every((node) => holds(node, element))) return false;
  const combinator = selector[at];
  if (combinator?.type !== 'Combinator') return true;
  const rest = selector.slice(0, at);
  if (combinator.name === '>') return fits(rest, parentOf(element), steps);
  return (
    closest(element, (above) => steps.left < 0 || fits(rest, above, steps)) !== undefined &&
    steps.left >= 0
  );
}

function holds(node: CssNode, element: Element): boolean {
  switch (node.type) {
    case 'TypeSelector':
      return node.name === '*' || node.name.toLowerCase() === element.tagName;
    case 'IdSelector':
      return attribute(element, 'id') === node.name;
    case 'ClassSelector':
      return wordsIn(element, 'class').includes(node.name);
    case 'AttributeSelector': {
      const given = attribute(element, node.name.name.toLowerCase());
      const wanted = node.value?.type === 'String' ? node.value.value : node.value?.name;
      return given !== undefined && (node.matcher === null || given === wanted);
    }
    default:
      return element.tagName === 'html';
  }
}
