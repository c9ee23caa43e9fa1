import type { AgentOutput } from '../../kernel/agent.js';
import type { CriterionResult } from '../../kernel/criterion.js';
import { type ArtifactCriterion, artifactCriterion, asFinding, shareResult } from '../artifact-criterion.js';
import { stylesheetsOf } from './stylesheet.js';
import { type TokenUse, tokenUse } from './token-use.js';

const suggestedFix = 'Replace hard-coded colours, font sizes and spacing by design tokens';

/** The criterion that colours, font sizes and spacing are set by tokens, from a share of them on. */
export function designTokens(share: number): ArtifactCriterion {
  return artifactCriterion({
    id: 'design-tokens',
    name: 'Design tokens',
    description: 'Colours, font sizes and spacing are set by tokens: var(--...) or $...',
    severity: 'major',
    category: 'quality',
    version: `css/design-tokens/1/${share}`,
    check: (output) => judgeShare(output, share),
  });
}

async function judgeShare(output: AgentOutput, share: number): Promise<CriterionResult> {
  const { uses, unreadable } = await tokenUses(output);
  if (uses.length === 0) return nothingRead(unreadable);
  const tokens = uses.reduce((sum, use) => sum + use.tokens, 0);
  const findings = uses.flatMap((use) => use.hardCoded);
  const judged = tokens + findings.length;
  if (judged === 0) return { passed: false, score: 0, details: '', skipped: 'no stylesheet sets a colour, font size or spacing' };
  const passed = tokens / judged >= share && tokens > 0;
  return shareResult({ judged, findings, passed, details: `${tokens} of ${judged} colours, font sizes and spacings are tokens${aside(unreadable)}`, suggestedFix });
}

/**
 * Seed 004's rule, on parsed styles: each stylesheet that could be read uses or defines tokens.
 *
 * @internal
 */
export async function everySheetUsesTokens(output: AgentOutput): Promise<CriterionResult> {
  const { uses, unreadable } = await tokenUses(output);
  if (uses.length === 0 && unreadable.length === 0) {
    return { passed: false, score: 0, details: 'There is no stylesheet', suggestedFix: 'Write a stylesheet that uses design tokens', estimatedEffort: 'medium' };
  }
  if (uses.length === 0) return nothingRead(unreadable);
  const without = uses.filter((use) => use.tokens === 0 && !use.defines && !use.hardCoded.some((finding) => /var\(\s*--|\$[\w-]/.test(finding.evidence ?? '')));
  const findings = (without.length > 0 ? without : uses).flatMap((use) => use.hardCoded);
  const passed = without.length === 0;
  const details = passed ? `All ${uses.length} stylesheets use design tokens${aside(unreadable)}` : `No design tokens in ${without.map((use) => use.file).join(', ')}`;
  return { passed, score: passed ? 1 : 0.5, details, ...(!passed && { suggestedFix }), estimatedEffort: 'small', ...(findings.length > 0 && { findings: findings.map(asFinding) }) };
}

async function tokenUses(output: AgentOutput): Promise<{ readonly uses: readonly TokenUse[]; readonly unreadable: readonly string[] }> {
  const { sheets, unreadable } = await stylesheetsOf(output);
  return { uses: sheets.map(tokenUse), unreadable };
}

/** The result when there is nothing to judge: a failure where styles exist but none can be read. */
export function nothingRead(unreadable: readonly string[]): CriterionResult {
  if (unreadable.length === 0) return { passed: false, score: 0, details: '', skipped: 'there is no stylesheet' };
  return { passed: false, score: 0, details: `No stylesheet could be read: ${unreadable.join(', ')}`, suggestedFix: 'Correct the syntax of the stylesheets', estimatedEffort: 'small' };
}

/** What to say of stylesheets that were left out. */
export function aside(unreadable: readonly string[]): string {
  return unreadable.length === 0 ? '' : `; not read: ${unreadable.join(', ')}`;
}
