// The self-review loop as specified: criteria one after another, uuid per gap, composite score, decision.
import { v4 } from 'uuid';

export function makeLoop({ criteria, judge, produce, address }) {
  return async function loop() {
    let output = await produce();
    for (let iteration = 0; iteration < 3; iteration += 1) {
      const { gaps, sum } = await judgeAll(criteria, judge, output);
      const review = reviewOf(iteration, gaps, sum / criteria.length);
      if (review.qualityScore >= 0.8 && gaps.length === 0)
        return { approved: true, output, iterations: iteration + 1, review };
      output = await address(output, gaps);
    }
    return { approved: false, output, iterations: 3 };
  };
}

async function judgeAll(criteria, judge, output) {
  const gaps = [];
  let sum = 0;
  for (const { id } of criteria) {
    const verdict = await judge(id, output);
    sum += verdict.score;
    if (!verdict.passed)
      gaps.push({
        id: v4(),
        severity: 'major',
        category: 'incorrect',
        description: `${id}: ${verdict.details}`,
        suggestedFix: id,
        estimatedEffort: 'medium',
        autoFixable: true,
      });
  }
  return { gaps, sum };
}

function reviewOf(iteration, gaps, criteriaScore) {
  const correctness =
    gaps.length > 0
      ? 1 - gaps.filter((gap) => gap.category === 'incorrect').length / gaps.length
      : 1;
  const score = criteriaScore * 0.4 + 0.4 + correctness * 0.2;
  return {
    reviewId: v4(),
    iteration: iteration + 1,
    qualityScore: score,
    gaps,
    criticalGapCount: gaps.filter((gap) => gap.severity === 'critical').length,
    majorGapCount: gaps.filter((gap) => gap.severity === 'major').length,
    minorGapCount: gaps.filter((gap) => gap.severity === 'minor').length,
    reasoning: `Quality: ${(score * 100).toFixed(0)}% | Gaps: ${gaps.length}`,
    timestamp: new Date().toISOString(),
  };
}
