import type { Artifacts } from '../../core/artifact.js';
import type { Finding } from '../../core/criterion.js';
import { type Severity, severityAtLeast } from '../../core/severity.js';
import type { ArtifactCriterion } from '../artifact-criterion.js';
import { htmlRules } from '../html/rules/html-rules.js';
import type { PageScope } from './page-scope.js';
import type { Fault } from './page-visit.js';

/** Rules that name no rule of the W3C, with the criterion that follows the same one. */
const alike: Readonly<Record<string, string>> = {
  tabindex: 'tab-order',
  'missing-file': 'resources-exist',
};

/** What criteria over the source report about an output. */
export class ReportedAlready {
  readonly #criteria: readonly ArtifactCriterion[];
  readonly #output: Artifacts;
  readonly #results = new Map<string, Promise<readonly Finding[]>>();

  constructor(criteria: readonly ArtifactCriterion[], output: PageScope) {
    this.#criteria = criteria;
    this.#output = output;
  }

  /** Returns whether one of the criteria reports the same rule at the same element as badly. */
  async has({ same }: Fault, finding: Finding, severity: Severity): Promise<boolean> {
    if (same === undefined || finding.evidence === undefined) return false;
    const ids = sameRules(same);
    for (const criterion of this.#criteria.filter(({ id }) => ids.has(id))) {
      const others = await this.#findingsOf(criterion);
      const isAsBad = (other: Finding): boolean =>
        severityAtLeast(other.severity ?? criterion.severity, severity);
      if (others.some((other) => isAt(other, finding) && isAsBad(other))) return true;
    }
    return false;
  }

  #findingsOf(criterion: ArtifactCriterion): Promise<readonly Finding[]> {
    const known = this.#results.get(criterion.id);
    if (known !== undefined) return known;
    const found = criterion
      .validate(this.#output, undefined, { previous: [] })
      .then(({ findings = [] }) => findings);
    this.#results.set(criterion.id, found);
    return found;
  }
}

function isAt(one: Finding, other: Finding): boolean {
  return one.file === other.file && one.line === other.line && one.evidence === other.evidence;
}

/** Returns the ids of the criteria over the source that follow the same rule. */
function sameRules({ rule, act }: NonNullable<Fault['same']>): ReadonlySet<string> {
  const found = htmlRules.filter((one) => (one.act ?? []).some((id) => act.includes(id)));
  return new Set([
    ...found.map(({ id }) => id),
    ...(alike[rule] === undefined ? [] : [alike[rule]]),
  ]);
}
