import type { Atrule, CssNode, Declaration } from 'css-tree';
import type { Artifacts } from '../../../core/artifact.js';
import type { CriterionResult, Finding } from '../../../core/criterion.js';
import { type ArtifactCriterion, artifactCriterion } from '../artifact-criterion.js';
import { nothingRead } from './design-tokens.js';
import { aside, foundIn, type Stylesheet, stylesheetsOf } from './stylesheet.js';

/** Breakpoints or fluid tracks score 0.6, flex or grid 0.4. It passes from 0.6 on. */
export function responsive(): ArtifactCriterion {
  return artifactCriterion({
    id: 'responsive',
    name: 'Responsive layout',
    description: 'The layout follows the width of the screen or of its container',
    severity: 'major',
    category: 'incomplete',
    version: 'css/responsive/2',
    check: judgeResponsive,
  });
}

/**
 * Judges the parsed styles. Words in comments and selectors do not count.
 *
 * @internal
 */
export async function judgeResponsive(output: Artifacts): Promise<CriterionResult> {
  const read = await stylesheetsOf(output);
  if (read.sheets.length === 0) return nothingRead(read);
  const layouts = read.sheets.map(layoutOf);
  const breakpoints = layouts.flatMap((layout) => layout.breakpoints);
  const fluid = layouts.flatMap((layout) => layout.fluid);
  const flexible = layouts.flatMap((layout) => layout.flexible);
  const score = (breakpoints.length + fluid.length > 0 ? 0.6 : 0) + (flexible.length > 0 ? 0.4 : 0);
  const passed = score >= 0.6;
  const rigid = passed ? [] : layouts.flatMap((layout) => layout.rigid);
  const evidence = [
    told(breakpoints, 'breakpoints', 'no breakpoints'),
    ...(fluid.length > 0 ? [told(fluid, 'fluid tracks', '')] : []),
    flexible.length > 0 ? `uses flex or grid (${flexible[0]})` : 'uses neither flex nor grid',
  ];
  return {
    passed,
    score,
    details: `${evidence.join(', ')}${aside(read)}`,
    ...(!passed && {
      suggestedFix:
        'Add media or container queries for narrow (below 768px) and medium (below 1024px) widths',
    }),
    estimatedEffort: 'medium',
    ...(rigid.length > 0 && { findings: rigid }),
  };
}

function told(places: readonly string[], name: string, none: string): string {
  return places.length === 0
    ? none
    : `${places.length} ${name} (${[...places.slice(0, 3), ...(places.length > 3 ? ['...'] : [])].join(', ')})`;
}

interface Layout {
  readonly breakpoints: string[];
  readonly fluid: string[];
  readonly flexible: string[];
  readonly rigid: Finding[];
}

function layoutOf(sheet: Stylesheet): Layout {
  const layout: Layout = { breakpoints: [], fluid: [], flexible: [], rigid: [] };
  sheet.parser.walk(sheet.root, (node) => {
    if (node.type === 'Atrule' && asksForWidth(node, sheet.parser))
      layout.breakpoints.push(placeOf(sheet, node));
    if (node.type === 'Declaration') readDeclaration(sheet, node, layout);
  });
  return layout;
}

function readDeclaration(sheet: Stylesheet, node: Declaration, layout: Layout): void {
  const property = node.property.toLowerCase();
  if (!/^(?:display|grid(?:-template)?(?:-columns)?|columns|(?:min-)?width)$/.test(property))
    return;
  const value = sheet.parser.generate(node.value).trim().toLowerCase();
  if (property === 'display' && /^(?:inline-)?(?:flex|grid)\b/.test(value))
    layout.flexible.push(placeOf(sheet, node));
  if (property.startsWith('grid') && /repeat\(\s*auto-fi(?:t|ll)/.test(value))
    layout.fluid.push(placeOf(sheet, node));
  if (property.endsWith('width') && Number(/^(\d+)(?:\.\d+)?px$/.exec(value)?.[1] ?? 0) > widest)
    layout.rigid.push(rigidAt(sheet, node));
}

/** The maximum width of a phone, in pixels. */
const widest = 480;

function rigidAt(sheet: Stylesheet, declaration: Declaration): Finding {
  return foundIn(sheet, declaration, {
    description: `${declaration.property} is wider than a narrow screen, and no query changes it`,
    suggestedFix: 'Use max-width, or a media query',
  });
}

function placeOf({ file }: Stylesheet, { loc }: CssNode): string {
  return `${file}:${loc?.start.line ?? 1}`;
}

function asksForWidth({ name, prelude, block }: Atrule, parser: Stylesheet['parser']): boolean {
  if (
    !/^(?:media|container)$/i.test(name) ||
    prelude === null ||
    block === null ||
    block.children.isEmpty
  )
    return false;
  const queries = parser.generate(prelude).split(',', 100);
  return queries.some(
    (query) =>
      !/^\s*(?:only\s+)?(?:print|speech)\b/i.test(query) &&
      /(?:^|[^\w-])(?:(?:min|max)-)?(?:device-)?(?:width|inline-size)(?![\w-])/i.test(query),
  );
}
