import type { CssNode, Declaration } from 'css-tree';
import type { Edit, Found } from '../artifact-criterion.js';
import type { Stylesheet } from './stylesheet.js';
import type { TokenValues } from './token-values.js';
import { isLiteral, kindOf, type ValueKind } from './value-kinds.js';

/** One declaration that a design token could set. */
export interface ValueUse {
  readonly kind: ValueKind;
  readonly property: string;
  /** The finding about its hard-coded values. */
  readonly hardCoded?: Found | undefined;
}

export interface TokenUse {
  readonly file: string;
  readonly uses: readonly ValueUse[];
  /** Whether the stylesheet defines or names any token. */
  readonly knowsTokens: boolean;
}

/** Reads the custom properties that a stylesheet defines for the whole page. */
export function readDefinitions({ root, parser }: Stylesheet, values: TokenValues): void {
  parser.walk(root, {
    visit: 'Rule',
    enter: (rule) => {
      if (!/^(?::root|html|:host|@theme)(?:,|$)/.test(parser.generate(rule.prelude).trim())) return;
      for (const node of rule.block.children.toArray())
        if (node.type === 'Declaration' && node.property.startsWith('--'))
          values.define(node.property, parser.generate(node.value).trim());
    },
  });
}

/**
 * Returns the token use of a stylesheet. Definitions of tokens, comments, strings, URLs and the
 * fallbacks of `var()` do not count.
 */
export function tokenUse(sheet: Stylesheet, values: TokenValues): TokenUse {
  const uses: ValueUse[] = [];
  let knowsTokens = false;
  sheet.parser.walk(sheet.root, {
    visit: 'Declaration',
    enter: (node: Declaration) => {
      knowsTokens ||= node.property.startsWith('--');
      const kind = kindOf(node.property);
      if (kind === undefined) return;
      const { own, token } = literalsOf(node, kind, sheet.parser);
      knowsTokens ||= token;
      if (own.length > 0)
        uses.push({
          kind,
          property: node.property.toLowerCase(),
          hardCoded: found(sheet, { node, kind, own, values }),
        });
      else if (token) uses.push({ kind, property: node.property.toLowerCase() });
    },
  });
  return { file: sheet.file, uses, knowsTokens };
}

function literalsOf(
  { value }: Declaration,
  kind: ValueKind,
  parser: Stylesheet['parser'],
): { readonly own: readonly CssNode[]; readonly token: boolean } {
  const own: CssNode[] = [];
  let token = false;
  const skip: unknown = Reflect.get(parser.walk, 'skip');
  parser.walk(value, {
    enter: (node: CssNode) => {
      if (node.type === 'Function' && /^(?:var|theme|token|env|--[\w-]+)$/i.test(node.name)) {
        token = true;
        return skip;
      }
      if (!isLiteral(kind, node)) return undefined;
      const isMixed = node.type === 'Function' && /\bvar\(|\btheme\(/.test(parser.generate(node));
      if (isMixed) token = true;
      else own.push(node);
      return node.type === 'Function' ? skip : undefined;
    },
  });
  return { own, token };
}

interface Place {
  readonly node: Declaration;
  readonly kind: ValueKind;
  readonly own: readonly CssNode[];
  readonly values: TokenValues;
}

function found({ file, source }: Stylesheet, { node, kind, own, values }: Place): Found {
  const { property, loc } = node;
  const evidence =
    loc === undefined || loc === null
      ? property
      : source.slice(loc.start.offset, Math.min(loc.end.offset, loc.start.offset + 200)).trimEnd();
  const edits = own.map((literal) => editOf(literal, source, values));
  const complete = edits.filter((edit) => edit !== undefined);
  const isRepairable = complete.length === edits.length && complete.length > 0;
  const suggestedFix = isRepairable
    ? `Use ${[...new Set(complete.map(({ text }) => text))].slice(0, 5).join(' and ')}`
    : `Use a token: ${property}: var(--...)`;
  return {
    file,
    line: loc?.start.line ?? 1,
    evidence,
    description: `hard-coded ${property} (${kind})`,
    suggestedFix,
    ...(isRepairable && { edits: complete }),
  };
}

function editOf({ loc }: CssNode, source: string, values: TokenValues): Edit | undefined {
  if (loc === undefined || loc === null) return undefined;
  const text = values.replacementOf(source.slice(loc.start.offset, loc.end.offset));
  return text === undefined ? undefined : { start: loc.start.offset, end: loc.end.offset, text };
}
