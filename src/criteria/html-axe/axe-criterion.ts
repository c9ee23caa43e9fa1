import type { Artifacts } from '../../core/artifact.js';
import type { CriterionResult, Finding } from '../../core/criterion.js';
import { checkKeys, invalid } from '../../core/options.js';
import { type ArtifactCriterion, artifactCriterion } from '../artifact-criterion.js';
import { pagesOf } from '../html/page.js';
import { type AxeAnswer, axePeers, runAxe, withoutLayout } from './axe-page.js';

/** Options of {@link axeCriterion}: the axe rules to run. */
export interface AxeOptions {
  /** The tags of the rules in axe. @default WCAG 2.0, 2.1 and 2.2 at the levels A and AA */
  readonly tags?: readonly string[] | undefined;
}

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const mostElements = 20_000;

/**
 * Creates a criterion from the rules of axe-core over a DOM of jsdom. Install both packages. It
 * never runs the scripts of a page and never loads anything. Rules that need layout, such as
 * contrast, are reported as not checked.
 *
 * @throws ReviewLoopError `invalid_options`; at run time `peer_missing` without the packages
 * @example
 * ```ts
 * const pipeline = definePipeline({ produce: designPage, reviewers: [axeCriterion()] });
 * ```
 */
export function axeCriterion(options: AxeOptions = {}): ArtifactCriterion {
  checkKeys('axeCriterion', options, ['tags']);
  const { tags = wcag } = options;
  if (
    !Array.isArray(tags) ||
    tags.length === 0 ||
    !tags.every((tag: unknown) => typeof tag === 'string' && /^[\w.-]+$/.test(tag))
  )
    throw invalid('tags', 'names of tags of axe, such as "wcag2a"', tags);
  return artifactCriterion({
    id: 'html-axe',
    name: 'Accessibility (axe)',
    description: 'The pages pass the axe rules',
    severity: 'major',
    category: 'quality',
    version: `html/axe/1/${[...tags].sort((a, b) => (a < b ? -1 : 1)).join(',')}`,
    check: (output) => judgeWithAxe(output, [...tags]),
  });
}

async function judgeWithAxe(output: Artifacts, tags: readonly string[]): Promise<CriterionResult> {
  const { pages, unreadable } = await pagesOf(output);
  const unread = unreadable.map(({ file, reason }) => `${file}: ${reason}`);
  const small = pages.filter(
    ({ file, elements }) =>
      elements.length <= mostElements ||
      unread.push(`${file}: more than ${mostElements} elements`) === 0,
  );
  if (small.length === 0)
    return skipped(unread.length === 0 ? 'no HTML was found' : `not checked: ${unread.join('; ')}`);
  const peers = await axePeers();
  const answers: (AxeAnswer & { readonly file: string })[] = [];
  // one page at a time: the window contains the state of axe, and two DOMs need twice the memory
  for (const page of small) answers.push({ file: page.file, ...(await runAxe(page, peers, tags)) });
  const findings = answers.flatMap(({ file, violations }) => findingsIn(file, violations));
  if (findings.length === 0 && unread.length > 0)
    return skipped(`not checked: ${unread.join('; ')}`);
  return resultOf(answers, findings, unread);
}

function resultOf(
  answers: readonly AxeAnswer[],
  findings: Finding[],
  unread: readonly string[],
): CriterionResult {
  const failed = answers.reduce((sum, { violations }) => sum + violations.length, 0);
  const passed = answers.reduce((sum, answer) => sum + answer.passed, 0);
  const open = [
    ...new Set([...withoutLayout, ...answers.flatMap(({ incomplete }) => incomplete)]),
    ...unread,
  ];
  return {
    passed: findings.length === 0,
    score: failed === 0 ? 1 : passed / (passed + failed),
    details: `${failed} of ${passed + failed} rules of axe are broken; not checked: ${open.join(', ')}`,
    ...(findings.length > 0 && { suggestedFix: 'Fix the problems that axe names', findings }),
    estimatedEffort: findings.length > 10 ? 'medium' : 'small',
  };
}

function findingsIn(file: string, violations: AxeAnswer['violations']): Finding[] {
  return violations.flatMap(({ id, impact, help, helpUrl, nodes }) =>
    nodes.map(({ line, evidence, selector }): Finding => {
      const severity = impact === 'critical' || impact === 'serious' ? 'major' : 'minor';
      return {
        file,
        line,
        ...(evidence !== '' && { evidence }),
        severity,
        description: `${id}: ${help} (${selector.slice(0, 200)})`,
        suggestedFix: `${help}; see ${helpUrl}`,
      };
    }),
  );
}

function skipped(reason: string): CriterionResult {
  return { passed: false, score: 0, details: '', skipped: reason };
}
