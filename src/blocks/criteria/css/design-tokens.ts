import type { CssNode, Declaration } from 'css-tree';
import type { Artifacts } from '../../../core/artifact.js';
import type { CriterionContext, CriterionResult } from '../../../core/criterion.js';
import { isRecord, memberOf } from '../../../core/json.js';
import {
  type ArtifactCriterion,
  artifactCriterion,
  asFinding,
  type Edit,
  type Found,
  repair,
  shareResult,
  skipped,
} from '../artifact-criterion.js';
import { aside, foundIn, type Stylesheet, type Stylesheets, stylesheetsOf } from './stylesheet.js';

const suggestedFix = 'Replace hard-coded colours, sizes, shadows and durations with design tokens';

export function designTokens(share: number): ArtifactCriterion {
  return artifactCriterion({
    id: 'design-tokens',
    name: 'Design tokens',
    description:
      'Colours, spacing, font sizes, radii, shadows, durations and layers use tokens: var(--...)',
    severity: 'major',
    category: 'quality',
    version: `css/design-tokens/3/${share}`,
    check: (output, task, { designTokens: given }) =>
      judgeShare(output, share, given ?? tokensOf(task)),
    fix: repairTokens,
  });
}

/** Only where exactly one token has the value. */
export const repairTokens: NonNullable<ArtifactCriterion['fix']> = async (
  output,
  gap,
  { task },
) => {
  const { uses } = await tokenUses(output, tokensOf(task));
  return repair(output, gap, uses.flatMap(hardCodedIn));
};

async function judgeShare(
  output: Artifacts,
  share: number,
  given: CriterionContext['designTokens'],
): Promise<CriterionResult> {
  const read = await tokenUses(output, given);
  if (read.uses.length === 0) return nothingRead(read);
  const uses = read.uses.flatMap((sheet) => sheet.uses);
  const findings = read.uses.flatMap(hardCodedIn);
  if (uses.length === 0)
    return skipped(`no stylesheet sets a value that tokens could set${aside(read)}`);
  if (given === undefined && !read.uses.some(({ knowsTokens }) => knowsTokens))
    return skipped(`no design token is defined${aside(read)}`);
  const tokens = uses.length - findings.length;
  const passed = tokens / uses.length >= share && tokens > 0;
  return shareResult({
    judged: uses.length,
    findings,
    passed,
    details: `${tokens} of ${uses.length} values are tokens (${sharesOf(uses)})${aside(read)}`,
    suggestedFix,
  });
}

function sharesOf(uses: readonly ValueUse[]): string {
  const kinds = [...new Set(uses.map(({ kind }) => kind))];
  return kinds
    .map((kind) => {
      const ofKind = uses.filter((use) => use.kind === kind);
      return `${kind} ${ofKind.filter(({ hardCoded }) => hardCoded === undefined).length}/${ofKind.length}`;
    })
    .join(', ');
}

function hardCodedIn({ uses }: TokenUse): readonly Found[] {
  return uses.flatMap(({ hardCoded }) => hardCoded ?? []);
}

export async function everySheetUsesTokens(
  output: Artifacts,
  task: unknown,
  context: CriterionContext,
): Promise<CriterionResult> {
  const read = await tokenUses(output, context.designTokens ?? tokensOf(task));
  const { uses, unchecked } = read;
  if (uses.length === 0 && unchecked.length === 0) {
    return {
      passed: false,
      score: 0,
      details: 'No stylesheet was found',
      suggestedFix: 'Write a stylesheet that uses design tokens',
      estimatedEffort: 'medium',
    };
  }
  if (uses.length === 0) return nothingRead(read);
  const without = uses.filter((use) => !use.knowsTokens);
  const findings = (without.length > 0 ? without : uses).flatMap(hardCodedIn);
  const passed = without.length === 0;
  const details = passed
    ? `All ${uses.length} stylesheets use design tokens${aside(read)}`
    : `No design tokens in ${without.map((use) => use.file).join(', ')}${aside(read)}`;
  return {
    passed,
    score: passed ? 1 : 0.5,
    details,
    ...(!passed && { suggestedFix }),
    estimatedEffort: 'small',
    ...(findings.length > 0 && { findings: findings.map(asFinding) }),
  };
}

async function tokenUses(
  output: Artifacts,
  given: CriterionContext['designTokens'],
): Promise<Stylesheets & { readonly uses: readonly TokenUse[] }> {
  const read = await stylesheetsOf(output);
  const values = new TokenValues();
  for (const sheet of read.sheets) readDefinitions(sheet, values);
  if (given !== undefined) values.read(given);
  return { ...read, uses: read.sheets.map((sheet) => tokenUse(sheet, values)) };
}

function tokensOf(task: unknown): CriterionContext['designTokens'] {
  const items = memberOf(memberOf(task, 'context'), 'items');
  const item = Array.isArray(items)
    ? items.find((candidate: unknown) => memberOf(candidate, 'type') === 'design_tokens')
    : undefined;
  const content = memberOf(item, 'content');
  return typeof content === 'object' && content !== null
    ? Object.fromEntries(Object.entries(content))
    : undefined;
}

export function nothingRead({ unchecked }: Pick<Stylesheets, 'unchecked'>): CriterionResult {
  return skipped(
    unchecked.length === 0
      ? 'no stylesheet was found'
      : `not checked: ${unchecked.slice(0, 3).join('; ')}`,
  );
}

/** One declaration that a design token could set. */
interface ValueUse {
  readonly kind: ValueKind;
  readonly property: string;
  readonly hardCoded?: Found | undefined;
}

interface TokenUse {
  readonly file: string;
  readonly uses: readonly ValueUse[];
  readonly knowsTokens: boolean;
}

function readDefinitions({ root, parser }: Stylesheet, values: TokenValues): void {
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

/** Definitions of tokens, comments, strings, URLs and the fallbacks of `var()` do not count. */
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

function found(sheet: Stylesheet, { node, kind, own, values }: Place): Found {
  const { property } = node;
  const edits = own.map((literal) => editOf(literal, sheet.source, values));
  const complete = edits.filter((edit) => edit !== undefined);
  const isRepairable = complete.length === edits.length && complete.length > 0;
  const suggestedFix = isRepairable
    ? `Use ${[...new Set(complete.map(({ text }) => text))].slice(0, 5).join(' and ')}`
    : `Use a token: ${property}: var(--...)`;
  const about = { description: `hard-coded ${property} (${kind})`, suggestedFix };
  return { ...foundIn(sheet, node, about), ...(isRepairable && { edits: complete }) };
}

function editOf({ loc }: CssNode, source: string, values: TokenValues): Edit | undefined {
  if (loc === undefined || loc === null) return undefined;
  const text = values.replacementOf(source.slice(loc.start.offset, loc.end.offset));
  return text === undefined ? undefined : { start: loc.start.offset, end: loc.end.offset, text };
}

const mostTokens = 20_000;

const deepest = 20;

export class TokenValues {
  readonly #names = new Map<string, Set<string>>();
  readonly #defined = new Set<string>();

  /** Such as `--blue`. */
  define(name: string, value: string): void {
    this.#defined.add(name);
    this.#add(name, value);
  }

  /**
   * Adds the design tokens of a request: nested, flat, or in the W3C community group's format
   * (`$value`).
   */
  read(tokens: Readonly<Record<string, unknown>>): void {
    const waiting: Entry[] = [{ path: [], value: tokens }];
    for (
      let next = waiting.pop(), left = mostTokens;
      next !== undefined && left > 0;
      next = waiting.pop(), left -= 1
    ) {
      if (typeof next.value === 'string' || typeof next.value === 'number')
        this.#add(nameOf(next.path), String(next.value));
      else waiting.push(...entriesIn(next));
    }
  }

  /** `undefined` unless exactly one token has the value. */
  replacementOf(value: string): string | undefined {
    const names = [...(this.#names.get(plain(value)) ?? [])];
    const known = names.filter((name) => this.#defined.has(name));
    const [name, ...others] = known.length > 0 ? known : names;
    if (name === undefined || others.length > 0) return undefined;
    return this.#defined.has(name) ? `var(${name})` : `var(${name}, ${value})`;
  }

  #add(name: string, value: string): void {
    const key = plain(value);
    if (name === '' || key === '' || key.length > 200) return;
    const names = this.#names.get(key);
    if (names === undefined) this.#names.set(key, new Set([name]));
    else names.add(name);
  }
}

interface Entry {
  readonly path: readonly string[];
  readonly value: unknown;
}

function entriesIn({ path, value }: Entry): readonly Entry[] {
  if (!isRecord(value) || path.length > deepest) return [];
  const own = value['$value'] ?? (isRecord(value['value']) ? undefined : value['value']);
  if (own !== undefined && path.length > 0) return [{ path, value: own }];
  return Object.entries(value).flatMap(([key, each]) =>
    key.startsWith('$') ? [] : [{ path: [...path, key], value: each }],
  );
}

function nameOf(path: readonly string[]): string {
  const words = path.join('-').replace(/^-+/, '');
  const name = words
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/[^\w-]+/g, '-')
    .toLowerCase();
  return name === '' ? '' : `--${name}`;
}

/** `#ffffff` for `#FFF`, `0.5rem` for `.50rem`. */
function plain(value: string): string {
  const text = value.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  if (/^#[0-9a-f]{3,4}$/.test(text))
    return `#${[...text.slice(1)].map((digit) => digit + digit).join('')}`;
  const [, amount, unit = ''] = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))([a-z%]*)$/.exec(text) ?? [];
  return amount === undefined
    ? text.replaceAll(/(?<!\s)\s*,\s*/g, ', ')
    : `${Number(amount)}${unit}`;
}

type ValueKind = 'colour' | 'spacing' | 'font size' | 'radius' | 'shadow' | 'duration' | 'layer';

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

/** `undefined` for properties without tokens. */
function kindOf(property: string): ValueKind | undefined {
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

/** Zeros, hairlines of 1px, percentages and keywords are not hard-coded. */
function isLiteral(kind: ValueKind, node: CssNode): boolean {
  return literals[kind](node);
}
