import type { AgentOutput } from '../kernel/agent.js';
import type { Assessment } from '../kernel/assessment.js';
import type { Gap } from '../kernel/gap.js';
import type { FileReviewer } from './file-reviewer.js';
import { planIn } from './plan-file.js';

/** A judge of plans that reads the plan in its file as it is now, and whose gaps point into that file. */
export function planReviewer(reviewer: FileReviewer): FileReviewer {
  return {
    ...reviewer,
    review: async (subject, context) => {
      const plan = planIn(subject.output.artifacts);
      if (plan === undefined) return reviewer.review(subject, context);
      const answer = await reviewer.review({ ...subject, output: { ...subject.output, result: plan.value } }, context);
      const place = placing(plan.path, subject.output);
      const placed = (assessments: readonly Assessment[]): Assessment[] => assessments.map((assessment) => ('gaps' in assessment ? { ...assessment, gaps: assessment.gaps.map(place) } : assessment));
      return 'assessments' in answer ? { ...answer, assessments: placed(answer.assessments) } : placed(answer);
    },
  };
}

function placing(path: string, { artifacts }: AgentOutput): (gap: Gap) => Gap {
  const lines = artifacts.find((artifact) => artifact.path === path)?.content?.split('\n') ?? [];
  return (gap) => {
    if (gap.location !== undefined) return gap;
    const quote = gap.evidence === undefined ? undefined : JSON.stringify(gap.evidence);
    const index = quote === undefined ? -1 : lines.findIndex((line) => line.includes(quote));
    return { ...gap, location: { file: path, ...(index !== -1 && { line: index + 1 }) } };
  };
}
