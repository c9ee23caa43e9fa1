import type { CssNode } from 'css-tree';

/** The kinds of design tokens. */
export type ValueKind =
  | 'colour'
  | 'spacing'
  | 'font size'
  | 'radius'
  | 'shadow'
  | 'duration'
  | 'layer';

const side = '(?:-(?:top|right|bottom|left|block|inline)(?:-(?:start|end))?)?';
const kinds: readonly (readonly [ValueKind, RegExp])[] = [
  ['radius', /^border(?:-(?:top|bottom|start|end)-(?:left|right|start|end))?-radius$/],
  ['shadow', /^(?:box|text)-shadow$/],
  ['font size', /^font(?:-size)?$/],
  [
    'spacing',
    new RegExp(
      `^(?:(?:scroll-)?(?:margin|padding)${side}|gap|row-gap|column-gap|grid-gap|grid-row-gap|grid-column-gap)$`,
    ),
  ],
  ['duration', /^(?:transition|animation)(?:-duration|-delay)?$/],
  ['layer', /^z-index$/],
  [
    'colour',
    new RegExp(
      `^(?:color|background|background-color|background-image|border-image|mask|border${side}(?:-color)?|outline(?:-color)?|fill|stroke|caret-color|accent-color|column-rule(?:-color)?|text-decoration(?:-color)?|text-emphasis-color|scrollbar-color|stop-color|flood-color)$`,
    ),
  ],
];

/** Returns the kind of token for a property, or `undefined` for properties without tokens. */
export function kindOf(property: string): ValueKind | undefined {
  const name = property.toLowerCase().replace(/^-(?:webkit|moz|ms|o)-/, '');
  return kinds.find(([, pattern]) => pattern.test(name))?.[0];
}

const colourFunctions = /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark)$/i;
const namedColours =
  /^(?:black|white|red|green|blue|yellow|orange|purple|pink|brown|gr[ae]y|silver|maroon|olive|lime|teal|aqua|cyan|navy|fuchsia|magenta|gold|goldenrod|indigo|violet|coral|salmon|tomato|crimson|khaki|beige|ivory|lavender|turquoise|tan|plum|orchid|chocolate|firebrick|rebeccapurple|snow|linen|wheat|peru|sienna|thistle|bisque|azure|moccasin|gainsboro|honeydew|mintcream|oldlace|peachpuff|seashell|whitesmoke|blanchedalmond|papayawhip|burlywood|aquamarine|chartreuse|greenyellow|yellowgreen|dodgerblue|royalblue|slateblue|steelblue|skyblue|powderblue|cadetblue|cornflowerblue|aliceblue|midnightblue|navajowhite|antiquewhite|floralwhite|ghostwhite|cornsilk|lawngreen|forestgreen|seagreen|springgreen|olivedrab|limegreen|palegreen|palegoldenrod|palevioletred|paleturquoise|indianred|orangered|hotpink|deeppink|lightpink|mistyrose|lavenderblush|rosybrown|saddlebrown|sandybrown|lemonchiffon|blueviolet|deepskyblue|mediumblue|mediumorchid|mediumpurple|mediumseagreen|mediumslateblue|mediumspringgreen|mediumturquoise|mediumvioletred|mediumaquamarine|dimgr[ae]y|slategr[ae]y|(?:dark|light)(?:blue|cyan|goldenrod|goldenrodyellow|gr[ae]y|green|khaki|magenta|olivegreen|orange|orchid|red|salmon|seagreen|slateblue|slategr[ae]y|turquoise|violet|coral|yellow|skyblue|steelblue))$/i;
const lengths = /^(?:px|r?em|pt|pc|cm|mm|in|ch|ex|cap|ic|lh|rlh|q)$/i;

const isColour = (node: CssNode): boolean =>
  node.type === 'Hash' ||
  (node.type === 'Function' && colourFunctions.test(node.name)) ||
  (node.type === 'Identifier' && namedColours.test(node.name));
const isLength = (node: CssNode): boolean =>
  node.type === 'Dimension' &&
  lengths.test(node.unit) &&
  Number(node.value) !== 0 &&
  !(Math.abs(Number(node.value)) === 1 && node.unit.toLowerCase() === 'px');

const literals: Readonly<Record<ValueKind, (node: CssNode) => boolean>> = {
  colour: isColour,
  spacing: isLength,
  'font size': (node) => isLength(node),
  radius: isLength,
  shadow: (node) => isColour(node) || isLength(node),
  duration: (node) =>
    node.type === 'Dimension' && /^m?s$/i.test(node.unit) && Number(node.value) !== 0,
  layer: (node) => node.type === 'Number' && Math.abs(Number(node.value)) > 1,
};

/**
 * Returns whether a part of a value is hard-coded. Zeros, hairlines of 1px, percentages and
 * keywords are not.
 */
export function isLiteral(kind: ValueKind, node: CssNode): boolean {
  return literals[kind](node);
}
