import { ReviewLoopError } from '../core/errors.js';
import { hashText } from '../core/hash.js';
import { requirementPrefix } from '../core/scores.js';
import { nodeErrors } from '../node/errors.js';
import type { RunReport } from '../reports/run-report.js';

type Decidable = Pick<RunReport, 'coverage' | 'undecided'>;

const words: Readonly<Record<string, 'yes' | 'no'>> = { yes: 'yes', y: 'yes', no: 'no', n: 'no' };

/**
 * Returns decisions such as `R3=yes` by criterion. `R3` is the third requirement of the report;
 * every other name is the id of a criterion.
 *
 * @throws ReviewLoopError `usage`
 */
export function decisionsOf(
  given: readonly string[],
  report: Decidable,
): Record<string, 'yes' | 'no'> {
  const open = report.undecided.map(({ criterion }) => criterion);
  const names = openNames(report).join(', ') || 'nothing';
  if (given.length === 0)
    throw new ReviewLoopError(
      nodeErrors.usage,
      `decide what? Pass for example ${openNames(report)[0] ?? 'R1'}=yes; undecided: ${names}`,
    );
  const decisions: Record<string, 'yes' | 'no'> = {};
  for (const text of given) {
    const [, name = '', word = ''] = /^(.+)=([^=]*)$/.exec(text) ?? [];
    const decision = words[word.toLowerCase()];
    if (decision === undefined)
      throw new ReviewLoopError(nodeErrors.usage, `'${text}' is not like R3=yes or R3=no`, {
        value: text,
      });
    const criterion = criterionOf(name, report);
    if (criterion === undefined || !open.includes(criterion))
      throw new ReviewLoopError(nodeErrors.usage, `${name} is not undecided; undecided: ${names}`, {
        value: text,
      });
    if (Object.hasOwn(decisions, criterion))
      throw new ReviewLoopError(nodeErrors.usage, `${name} is decided twice`, { value: text });
    decisions[criterion] = decision;
  }
  return decisions;
}

/** Returns the version that a decision is about: that of its question, else the returned one. */
export function decidedVersion({
  requests = [],
  version = '',
}: Pick<RunReport, 'requests' | 'version'>): string {
  return requests.find(({ undecided }) => undecided !== undefined)?.digest ?? version;
}

/** Returns the names that a person can decide: R3 for a requirement, else the id of the criterion. */
function openNames(report: Decidable): string[] {
  const numbers = new Map(
    report.coverage.map(({ requirement }, index) => [criterionFor(requirement), `R${index + 1}`]),
  );
  return report.undecided.map(({ criterion }) => numbers.get(criterion) ?? criterion);
}

function criterionOf(name: string, { coverage }: Decidable): string | undefined {
  const number = /^R(\d+)$/i.exec(name)?.[1];
  const requirement = number === undefined ? undefined : coverage[Number(number) - 1]?.requirement;
  return number === undefined
    ? name
    : requirement === undefined
      ? undefined
      : criterionFor(requirement);
}

function criterionFor(requirement: string): string {
  return `${requirementPrefix}${hashText(requirement).slice(0, 16)}`;
}
