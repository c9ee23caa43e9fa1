import { requirementPrefix } from '../../../core/scores.js';
import type { AssessmentReport, RunReport } from '../run-report.js';
import { coverageWord, failedRequirements } from '../verdict-counts.js';
import type { ModelRequirement } from './report-model.js';

const words = { satisfied: 'met', violated: 'not met', undecided: 'undecided' } as const;
const signs = { met: '✓', 'not met': '×', undecided: '?' } as const;

/** Returns the requirements of a task, with a sign for each version. */
export function modelRequirements(report: RunReport): ModelRequirement[] {
  const { reviews, coverage } = report;
  const best = reviews.find((review) => review.best);
  const judged = coverage.map((entry) => {
    const { id, requirement, coverageDetails, evidence = [], decidedBy } = entry;
    const said = (assessments: readonly AssessmentReport[] = []) =>
      assessments.find((one) =>
        id === undefined ? one.criterion === `${requirementPrefix}${requirement}` : one.id === id,
      );
    const state = words[coverageWord(entry)];
    const own = said(best?.assessments);
    const by = own?.decidedBy ?? decidedBy;
    return {
      id,
      text: requirement,
      state,
      cells: reviews
        .map((review) => (review.best ? signs[state] : signOf(said(review.assessments))))
        .join(''),
      by: state === 'undecided' ? 'nobody' : whoSays(by, coverageDetails),
      evidence: evidence.slice(0, 1),
    };
  });
  const failed = failedRequirements(report);
  return [...judged, ...failed.map(({ id }) => withoutVerdict(id, reviews.length))];
}

/** Its judge failed: the report has no text of it. */
function withoutVerdict(id: string | undefined, versions: number): ModelRequirement {
  const cells = signs.undecided.repeat(versions);
  return { id, text: '', state: 'no verdict', cells, by: 'its judge failed', evidence: [] };
}

function signOf(assessment: AssessmentReport | undefined): string {
  if (assessment?.verdict === 'pass') return signs.met;
  return assessment?.verdict === 'fail' ? signs['not met'] : signs.undecided;
}

function whoSays(by: string | undefined, details: string): string {
  return by === undefined ? `a hint of its words: ${details}` : `${by}: ${details}`;
}
