import type { AgentOutput } from '../kernel/agent.js';
import type { Assessment } from '../kernel/assessment.js';
import type { Gap } from '../kernel/gap.js';
import type { FileReviewer } from './criteria-sets.js';
import { planIn } from './plan-file.js';

/** A judge of plans whose gaps point into the file that the plan was read from. */
export function planReviewer(reviewer: FileReviewer): FileReviewer {
  return {
    ...reviewer,
    review: async (subject, context) => {
      const answer = await reviewer.review(subject, context);
      const plan = planPlace(subject.output);
      if (plan === undefined) return answer;
      const placed = (assessments: readonly Assessment[]): Assessment[] => assessments.map((assessment) => ('gaps' in assessment ? { ...assessment, gaps: assessment.gaps.map(plan) } : assessment));
      return 'assessments' in answer ? { ...answer, assessments: placed(answer.assessments) } : placed(answer);
    },
  };
}

function planPlace({ artifacts }: AgentOutput): ((gap: Gap) => Gap) | undefined {
  const path = planIn(artifacts)?.path;
  const lines = artifacts.find((artifact) => artifact.path === path)?.content?.split('\n') ?? [];
  if (path === undefined) return undefined;
  return (gap) => {
    if (gap.location !== undefined) return gap;
    const quote = gap.evidence === undefined ? undefined : JSON.stringify(gap.evidence);
    const index = quote === undefined ? -1 : lines.findIndex((line) => line.includes(quote));
    return { ...gap, location: { file: path, ...(index !== -1 && { line: index + 1 }) } };
  };
}
