import type { RunReport } from '../run-report.js';
import { plainLine, type RunFinding, ruleOfCriterion } from './findings-of.js';

/** A rule of SARIF. It is the same in every analysis, whatever was found. */
export interface SarifRule {
  readonly id: string;
  readonly name: string;
  readonly shortDescription: { readonly text: string };
  readonly fullDescription: { readonly text: string };
  readonly help: { readonly text: string };
  readonly defaultConfiguration: { readonly level: 'warning' };
  readonly properties: { readonly tags: readonly string[]; readonly 'security-severity'?: string };
}

/** The most rules that GitHub reads. */
const mostRules = 25_000;

/** Returns the rules of all criteria that judged or found something, by id. */
export function sarifRules(
  reports: readonly RunReport[],
  findings: readonly RunFinding[],
): SarifRule[] {
  const names = new Map<string, string>();
  for (const { criteria, reviews } of reports) {
    const best = reviews.find((review) => review.best);
    for (const { criterion } of best?.assessments ?? [])
      names.set(ruleOfCriterion(criterion), criteria.names[criterion] ?? '');
  }
  for (const { rule } of findings) if (!names.has(rule)) names.set(rule, '');
  const used = new Set(findings.map(({ rule }) => rule));
  return [...names]
    .sort(([a], [b]) => Number(used.has(b)) - Number(used.has(a)) || (a < b ? -1 : 1))
    .slice(0, mostRules)
    .map(([id, name]) => ruleNamed(id, name));
}

/** The criteria that look for secrets. */
const secretRules = new Set(['code-secrets', 'text-secrets']);

function ruleNamed(id: string, name: string): SarifRule {
  const title =
    id === 'requirement'
      ? 'The work satisfies the task'
      : plainLine(name.trim() === '' ? id : name, 250);
  const isSecret = secretRules.has(id);
  return {
    id,
    name: plainLine(id, 250),
    shortDescription: { text: title },
    fullDescription: { text: plainLine(`${title} (${id})`, 1_000) },
    help: {
      text: `The criterion ${plainLine(id, 250)} of a review is not met. The message of each result says how to fix it.`,
    },
    defaultConfiguration: { level: 'warning' },
    properties: {
      tags: ['reviewloop', ...(isSecret ? ['security'] : [])],
      ...(isSecret && { 'security-severity': '8.0' }),
    },
  };
}
