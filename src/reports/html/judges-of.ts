import { requirementPrefix } from '../../core/scores.js';
import { addUsage, type Usage } from '../../core/usage.js';
import { judgeCounters } from '../judge-counters.js';
import type { JudgeReport, ReviewReport } from '../run-report.js';

/** Returns what each criterion said in all reviews, where nothing tells the reviewers apart. */
export function judgesOf(reviews: readonly ReviewReport[]): JudgeReport[] {
  const judges = new Map<string, JudgeReport>();
  for (const { assessments } of reviews)
    for (const { criterion, verdict, text, code } of assessments) {
      const id = criterion.startsWith(requirementPrefix) ? 'requirements' : criterion;
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

/** Returns the judges, those first that failed, could not decide, or found most. */
export function worstFirst(judges: readonly JudgeReport[]): JudgeReport[] {
  return [...judges].sort((a, b) => weightOf(b) - weightOf(a));
}

function weightOf({ passed, failed, undecided, errored }: JudgeReport): number {
  return errored * 1e6 + undecided * 1e4 + failed * 100 + passed;
}

/** Returns what all judges did together. Their times overlap, so that they have no sum. */
export function allJudges(judges: readonly JudgeReport[]): JudgeReport {
  const sum = (name: keyof typeof none): number =>
    judges.reduce((count, judge) => count + judge[name], 0);
  const knowReuse = judges.every(({ reused }) => reused !== undefined);
  return {
    id: 'all judges',
    passed: sum('passed'),
    failed: sum('failed'),
    undecided: sum('undecided'),
    skipped: sum('skipped'),
    errored: sum('errored'),
    ...(knowReuse && { reused: judges.reduce((count, { reused = 0 }) => count + reused, 0) }),
    usage: judges.reduce<Usage>((used, { usage = {} }) => addUsage(used, usage), {}),
    ...(judges.length > 0 && judges.every(({ tier }) => tier === 'code') && { tier: 'code' }),
    errors: [],
  };
}
