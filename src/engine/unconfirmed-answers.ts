import { type Assessment, isVerdict } from '../core/assessment.js';
import type { Definition } from './definition.js';
import type { ReviewerReply } from './reviewer-reply.js';

interface Said {
  readonly reviewer: string;
  readonly assessment: Assessment;
}

/**
 * A confirming judge to whom its question does not apply confirms nothing: where the reviewer that
 * it confirms gave a verdict, and no other judge confirms that, the question is undecided.
 */
export function withUnconfirmed<Task, Output>(
  { reviewers }: Pick<Definition<Task, Output>, 'reviewers'>,
  replies: readonly ReviewerReply[],
): readonly ReviewerReply[] {
  const judges = new Set(
    reviewers.filter(({ id, tier }) => tier === 'confirm' && id.startsWith(prefix)).map(idOf),
  );
  const verdicts = replies.flatMap(({ reviewer, assessments }): Said[] =>
    assessments.filter(isVerdict).map((assessment) => ({ reviewer, assessment })),
  );
  const confirmations = verdicts.filter(({ reviewer }) => judges.has(reviewer));
  const isOpen = (judge: string, assessment: Assessment): boolean => {
    const whom = replies.map(idOfReply).find((id) => !judges.has(id) && isConfirmedBy(id, judge));
    // a judge of the whole task confirms every reviewer
    if (whom === undefined) return verdicts.length > 0 && confirmations.length === 0;
    const part = partOf({ reviewer: judge, assessment }, whom);
    return (
      verdicts.some((said) => said.reviewer === whom && said.assessment.criterion === part) &&
      !confirmations.some(
        (said) => isConfirmedBy(whom, said.reviewer) && partOf(said, whom) === part,
      )
    );
  };
  return replies.map((reply) =>
    judges.has(reply.reviewer)
      ? {
          ...reply,
          assessments: reply.assessments.map((one) =>
            one.verdict === 'skipped' && isOpen(reply.reviewer, one)
              ? unconfirmed(one.criterion, one.reason)
              : one,
          ),
        }
      : reply,
  );
}

/** Stands before the id of the reviewer that a judge confirms. */
const prefix = 'confirm:';

function idOf({ id }: { readonly id: string }): string {
  return id;
}

function idOfReply({ reviewer }: ReviewerReply): string {
  return reviewer;
}

/** Several judges of one reviewer have numbers. */
function isConfirmedBy(reviewer: string, judge: string): boolean {
  const whom = judge.slice(prefix.length);
  return whom === reviewer || whom.replace(/:\d{1,9}$/, '') === reviewer;
}

/** The criterion of the reviewer that an assessment confirms. */
function partOf({ reviewer, assessment: { criterion } }: Said, whom: string): string {
  return criterion === reviewer ? whom : criterion.slice(reviewer.length + 1);
}

function unconfirmed(criterion: string, why: string): Assessment {
  const reason = `it does not apply (${why}), says the judge that confirms; another one judged it`;
  return { verdict: 'undecided', criterion, reason, decidableBy: ['person'] };
}
