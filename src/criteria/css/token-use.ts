import type { CssNode, Declaration } from 'css-tree';
import type { Found } from '../artifact-criterion.js';
import type { Stylesheet } from './stylesheet.js';

/** How a stylesheet sets its colours, font sizes and spacing. */
export interface TokenUse {
  readonly file: string;
  /** Declarations whose values are tokens only. */
  readonly tokens: number;
  /** Declarations that hold a value of their own. */
  readonly hardCoded: readonly Found[];
  /** Whether it defines tokens. */
  readonly defines: boolean;
}

const colours =
  /^(?:color|background|background-color|border(?:-(?:top|right|bottom|left|block|inline)(?:-(?:start|end))?)?(?:-color)?|outline(?:-color)?|fill|stroke|box-shadow|text-shadow|caret-color|accent-color|column-rule(?:-color)?|text-decoration(?:-color)?)$/;
const sizes = /^(?:font|font-size|(?:margin|padding)(?:-(?:top|right|bottom|left|block|inline)(?:-(?:start|end))?)?|gap|row-gap|column-gap|grid-gap)$/;
const colourFunctions = /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)$/i;
const namedColours =
  /^(?:black|white|red|green|blue|yellow|orange|purple|pink|brown|gr[ae]y|silver|maroon|olive|lime|teal|aqua|cyan|navy|fuchsia|magenta|gold|indigo|violet|coral|salmon|tomato|crimson|khaki|beige|ivory|lavender|turquoise|tan|plum|orchid|chocolate|firebrick|rebeccapurple|(?:dark|light|medium|deep|dim|hot|pale|slate|royal|steel|sky|dodger|forest|sea|spring|lawn|midnight|ghost|floral|antique|navajo|alice|corn|cadet|powder|indian|rosy|saddle|sandy|misty|white|green|blue)[a-z]+)$/i;
const units = /^(?:px|r?em|pt|pc|cm|mm|in|ch|ex|lh|rlh|q)$/i;

/** Reads how a stylesheet sets its values; comments, strings and the fallbacks of `var()` do not count. */
export function tokenUse({ file, source, root, parser }: Stylesheet): TokenUse {
  const hardCoded: Found[] = [];
  let tokens = 0;
  let defines = false;
  parser.walk(root, {
    visit: 'Declaration',
    enter: (node: Declaration) => {
      const property = node.property.toLowerCase();
      if (property.startsWith('--') || property.startsWith('$')) defines = true;
      if (!colours.test(property) && !sizes.test(property)) return;
      const literals = literalsOf(node, sizes.test(property), parser);
      if (literals.own) hardCoded.push(found(file, source, node));
      else if (literals.token) tokens += 1;
    },
  });
  return { file, tokens, hardCoded, defines: defines || /^\s*\$[\w-]+\s*:/m.test(source) };
}

function literalsOf({ value }: Declaration, lengths: boolean, parser: Stylesheet['parser']): { readonly own: boolean; readonly token: boolean } {
  if (value.type === 'Raw') return rawLiterals(value.value, lengths);
  let own = false;
  let token = false;
  const skip: unknown = Reflect.get(parser.walk, 'skip');
  parser.walk(value, {
    enter: (node: CssNode) => {
      if (node.type === 'Function' && /^(?:var|theme|token|env)$/i.test(node.name)) {
        token = true;
        return skip;
      }
      if (isLiteral(node, lengths)) own = true;
      return undefined;
    },
  });
  return { own, token };
}

function isLiteral(node: CssNode, lengths: boolean): boolean {
  switch (node.type) {
    case 'Hash':
      return !lengths;
    case 'Function':
      return !lengths && colourFunctions.test(node.name);
    case 'Identifier':
      return !lengths && namedColours.test(node.name);
    case 'Dimension':
      return lengths && Number(node.value) !== 0 && units.test(node.unit);
    default:
      return false;
  }
}

/** The values of SCSS and Less, which the parser leaves as they are. */
function rawLiterals(value: string, lengths: boolean): { readonly own: boolean; readonly token: boolean } {
  const bare = value.slice(0, 2000).replaceAll(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|"[^"]*"|'[^']*'/g, ' ');
  const token = /\$[\w-]+|var\(\s*--|@[\w-]+/.test(bare);
  const outside = bare.replaceAll(/var\([^)]*\)/g, ' ');
  const own = lengths ? /(?:^|[\s(,])-?(?:\d*\.)?[1-9]\d*(?:px|r?em|pt)\b/i.test(outside) : /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\(/i.test(outside);
  return { own, token };
}

function found(file: string, source: string, { property, loc }: Declaration): Found {
  const evidence = loc === undefined || loc === null ? property : source.slice(loc.start.offset, Math.min(loc.end.offset, loc.start.offset + 200)).trimEnd();
  return { file, line: loc?.start.line ?? 1, evidence, description: `hard-coded ${property}`, suggestedFix: `Use a token: ${property}: var(--...)` };
}
