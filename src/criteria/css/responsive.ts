import type { Atrule } from 'css-tree';
import type { AgentOutput } from '../../kernel/agent.js';
import type { CriterionResult } from '../../kernel/criterion.js';
import { type ArtifactCriterion, artifactCriterion } from '../artifact-criterion.js';
import { aside, nothingRead } from './design-tokens.js';
import { type Stylesheet, stylesheetsOf } from './stylesheet.js';

/** The criterion that the layout follows the width: breakpoints count 0.6, flex or grid 0.4, and 0.6 passes. */
export function responsive(): ArtifactCriterion {
  return artifactCriterion({
    id: 'responsive',
    name: 'Responsive layout',
    description: 'The layout follows the width of the screen or of its container',
    severity: 'major',
    category: 'incomplete',
    version: 'css/responsive/1',
    check: judgeResponsive,
  });
}

/**
 * Judges the parsed styles; comments and selectors that only hold the words do not count.
 *
 * @internal
 */
export async function judgeResponsive(output: AgentOutput): Promise<CriterionResult> {
  const { sheets, unreadable } = await stylesheetsOf(output);
  if (sheets.length === 0) return nothingRead(unreadable);
  const read = sheets.map(layoutOf);
  const breakpoints = read.reduce((sum, layout) => sum + layout.breakpoints, 0);
  const flexible = read.some((layout) => layout.flexible);
  const score = (breakpoints > 0 ? 0.6 : 0) + (flexible ? 0.4 : 0);
  const details = `${breakpoints > 0 ? `${breakpoints} breakpoints` : 'no breakpoints'}, ${flexible ? 'flex or grid is used' : 'neither flex nor grid is used'}${aside(unreadable)}`;
  const passed = score >= 0.6;
  return { passed, score, details, ...(!passed && { suggestedFix: 'Add media or container queries for narrow (below 768px) and medium (below 1024px) widths' }), estimatedEffort: 'medium' };
}

function layoutOf({ root, parser }: Stylesheet): { readonly breakpoints: number; readonly flexible: boolean } {
  let breakpoints = 0;
  let flexible = false;
  parser.walk(root, (node) => {
    if (node.type === 'Atrule' && asksForWidth(node, parser)) breakpoints += 1;
    if (node.type === 'Declaration' && node.property.toLowerCase() === 'display') flexible ||= /^(?:inline-)?(?:flex|grid)\b/i.test(parser.generate(node.value).trim());
  });
  return { breakpoints, flexible };
}

function asksForWidth({ name, prelude, block }: Atrule, parser: Stylesheet['parser']): boolean {
  if (!/^(?:media|container)$/i.test(name) || prelude === null || block === null || block.children.isEmpty) return false;
  return /(?:^|[^\w-])(?:(?:min|max)-)?(?:width|inline-size)(?![\w-])/i.test(parser.generate(prelude));
}
