import type { AttributeSelector, CssNode, Selector } from 'css-tree';
import { attribute, type Element, parentOf } from '../dom.js';

/** One compound of a selector: the conditions for one element. */
interface Compound {
  readonly tag: string | undefined;
  readonly id: string | undefined;
  readonly classes: readonly string[];
  readonly attributes: readonly { readonly name: string; readonly value: string | undefined }[];
  /** The combinator before this compound. */
  readonly combinator: ' ' | '>' | undefined;
}

/** A selector with only descendant and child combinators. */
export interface SimpleSelector {
  /** The compounds from right to left. */
  readonly compounds: readonly Compound[];
  readonly specificity: number;
  /** The pseudo-element: `before` or `after` for generated content. */
  readonly pseudo: string | undefined;
}

const longest = 6;
const mostSteps = 3000;

/**
 * Returns a selector in simple form. `undefined` if the markup alone cannot decide it, or if it is
 * not supported.
 */
export function readSelector(selector: Selector): SimpleSelector | undefined {
  const nodes = selector.children.toArray();
  const pseudo = pseudoIn(nodes.at(-1));
  const compounds = compoundsIn(pseudo === undefined ? nodes : nodes.slice(0, -1));
  if (compounds === undefined || compounds.length > longest) return undefined;
  return {
    compounds,
    specificity: compounds.reduce((sum, compound) => sum + weight(compound), 0),
    pseudo,
  };
}

function compoundsIn(nodes: readonly CssNode[]): OpenCompound[] | undefined {
  let open = emptyCompound(undefined);
  const compounds = [open];
  for (const node of nodes) {
    if (node.type === 'Combinator' && (node.name === ' ' || node.name === '>')) {
      open = emptyCompound(node.name);
      compounds.unshift(open);
    } else if (!addTo(open, node)) return undefined;
  }
  return compounds;
}

function pseudoIn(last: CssNode | undefined): string | undefined {
  if (last?.type !== 'PseudoElementSelector' && last?.type !== 'PseudoClassSelector')
    return undefined;
  return /^(?:before|after)$/i.test(last.name) ? last.name.toLowerCase() : undefined;
}

interface OpenCompound {
  tag: string | undefined;
  id: string | undefined;
  classes: string[];
  attributes: { name: string; value: string | undefined }[];
  combinator: ' ' | '>' | undefined;
}

function emptyCompound(combinator: OpenCompound['combinator']): OpenCompound {
  return { tag: undefined, id: undefined, classes: [], attributes: [], combinator };
}

function addTo(open: OpenCompound, node: CssNode): boolean {
  switch (node.type) {
    case 'TypeSelector':
      open.tag = node.name === '*' ? undefined : node.name.toLowerCase();
      return !node.name.includes('|');
    case 'IdSelector':
      open.id = node.name;
      return true;
    case 'ClassSelector':
      open.classes.push(node.name);
      return true;
    case 'AttributeSelector':
      open.attributes.push({ name: node.name.name.toLowerCase(), value: wantedValue(node) });
      return node.matcher === null || node.matcher === '=';
    case 'PseudoClassSelector':
      if (node.name !== 'root') return false;
      open.tag = 'html';
      return true;
    default:
      return false;
  }
}

function wantedValue({ value }: AttributeSelector): string | undefined {
  return value?.type === 'String' ? value.value : value?.name;
}

function weight({ tag, id, classes, attributes }: Compound): number {
  return (
    (id === undefined ? 0 : 10_000) +
    (classes.length + attributes.length) * 100 +
    (tag === undefined ? 0 : 1)
  );
}

export function matches(selector: SimpleSelector, element: Element): boolean {
  return reaches(selector, 0, { at: element, steps: { left: mostSteps } });
}

function reaches(
  selector: SimpleSelector,
  index: number,
  { at, steps }: { readonly at: Element | undefined; readonly steps: { left: number } },
): boolean {
  const compound = selector.compounds[index];
  if (compound === undefined) return true;
  steps.left -= 1;
  if (at === undefined || steps.left < 0 || !fits(compound, at)) return false;
  if (compound.combinator === undefined) return true;
  let above = parentOf(at);
  if (compound.combinator === '>') return reaches(selector, index + 1, { at: above, steps });
  while (above !== undefined && !reaches(selector, index + 1, { at: above, steps }))
    above = steps.left < 0 ? undefined : parentOf(above);
  return above !== undefined;
}

function fits({ tag, id, classes, attributes }: Compound, element: Element): boolean {
  if (tag !== undefined && tag !== element.tagName) return false;
  if (id !== undefined && attribute(element, 'id') !== id) return false;
  if (classes.length > 0) {
    const given = ` ${(attribute(element, 'class') ?? '').replaceAll(/\s/g, ' ')} `;
    if (!classes.every((name) => given.includes(` ${name} `))) return false;
  }
  return attributes.every(({ name, value }) =>
    value === undefined
      ? attribute(element, name) !== undefined
      : attribute(element, name) === value,
  );
}
