import type { Artifacts } from '../../../core/artifact.js';
import type { CriterionContext, CriterionResult } from '../../../core/criterion.js';
import { memberOf } from '../../../core/json.js';
import {
  type ArtifactCriterion,
  artifactCriterion,
  asFinding,
  type Found,
  repair,
  shareResult,
  skipped,
} from '../artifact-criterion.js';
import { aside, type Stylesheets, stylesheetsOf } from './stylesheet.js';
import {
  readDefinitions,
  type TokenUse,
  TokenValues,
  tokenUse,
  type ValueUse,
} from './token-use.js';

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
