import { plural } from '../../../core/plural.js';
import { requirementPrefix } from '../../../core/scores.js';
import type { JudgeReport, ReviewReport, RunReport } from '../run-report.js';
import { costText } from '../run-words.js';
import { judgeCounters } from '../verdict-counts.js';
import type { ModelJudges } from './report-model.js';

const requirements = 'requirements';

/** A row for each with a finding, a failure or a cost. */
export function modelJudges(report: RunReport): ModelJudges {
  const { reviews, criteria, judges = judgesOf(reviews) } = report;
  const isShown = (judge: JudgeReport) =>
    judge.failed + judge.errored > 0 || costText(judge.usage ?? {}) !== '';
  const shown = judges.filter(isShown).sort((a, b) => b.errored - a.errored || b.failed - a.failed);
  const others = judges.filter((judge) => !isShown(judge));
  const nameOf = ({ id }: JudgeReport) => criteria.names[id] ?? id;
  return {
    count: judges.length,
    said: saidOf(judges),
    rows: shown.map((judge) => ({
      id: judge.id,
      name: nameOf(judge),
      cells: reviews.map((review) => cellOf(judge.id, review)),
      cost: costAndTime(judge),
      errors: judge.errors,
    })),
    others: others.map(nameOf),
  };
}

/** One for each criterion: nothing tells the reviewers apart. */
function judgesOf(reviews: readonly ReviewReport[]): JudgeReport[] {
  const judges = new Map<string, JudgeReport>();
  for (const { assessments } of reviews)
    for (const { criterion, verdict, text, code } of assessments) {
      const id = criterion.startsWith(requirementPrefix) ? requirements : criterion;
      const judge = judges.get(id) ?? { ...none, id, errors: [] };
      const error = verdict === 'errored' ? [`${code ?? 'error'}: ${text}`] : [];
      judges.set(id, {
        ...judge,
        [judgeCounters[verdict]]: judge[judgeCounters[verdict]] + 1,
        errors: [...new Set([...judge.errors, ...error])],
      });
    }
  return [...judges.values()];
}

const none = { passed: 0, failed: 0, undecided: 0, skipped: 0, errored: 0 };

function saidOf(judges: readonly JudgeReport[]): string {
  const count = (is: (judge: JudgeReport) => boolean) => judges.filter(is).length;
  const failed = count(({ errored }) => errored > 0);
  const found = count((one) => one.failed > 0);
  const idle = count((one) => one.passed + one.failed + one.undecided + one.errored === 0);
  return (
    `${plural(judges.length, 'judge')}: ${found} found something, ${idle} had nothing to judge, ` +
    `${failed === 0 ? 'none' : failed} failed.`
  );
}

function cellOf(id: string, { assessments, gaps }: ReviewReport): string {
  const own = assessments.filter(({ criterion }) =>
    id === requirements ? criterion.startsWith(requirementPrefix) : criterion === id,
  );
  if (own.some(({ verdict }) => verdict === 'errored')) return 'failed';
  if (own.length > 0 && own.every(({ verdict }) => verdict === 'skipped')) return 'none to judge';
  const found = gaps.filter(
    ({ raisedBy, criterionId = '' }) =>
      raisedBy === id ||
      criterionId === id ||
      (id === requirements && criterionId.startsWith(requirementPrefix)),
  ).length;
  return String(found);
}

/** Checks of code run beside each other, so that their times say nothing. */
function costAndTime({ usage = {}, tier, durationMs }: JudgeReport): string {
  const waited = tier !== undefined && tier !== 'code' && durationMs !== undefined;
  return [costText(usage), waited ? `${(durationMs / 1000).toFixed(1)} s` : '']
    .filter((text) => text !== '')
    .join(', ');
}
