import type { Decision } from '../core/decision.js';
import type { UndecidedReview } from '../core/policy.js';
import type { Definition, HumanOptions } from './definition.js';
import { overridden } from './human-answers.js';
import {
  type AnswerEffect,
  answerable,
  answerFor,
  approvalQuestion,
  approvalWithDecisions,
  verdictOf,
} from './human-questions.js';
import type { NamedQuestion } from './named-question.js';
import { undecidedName, undecidedQuestion } from './person-decisions.js';
import type { Run } from './run.js';
import { requestId } from './run-questions.js';
import { suspend } from './suspend-run.js';
import type { JudgedVersion } from './version-history.js';

export { overridden, suspend };

/** The name of the question whether a version is let through. */
export const decisionName = 'decision';

/** Returns the question of the option `human` after this decision, or the one that stands, if any. */
export function questionAfter<Output>(
  run: Run,
  human: HumanOptions | undefined,
  { decision, finding, version }: JudgedVersion<Output> & { readonly decision: Decision },
): NamedQuestion | undefined {
  const asked = human && questionOf(human, decision, finding);
  return asked ?? (decision.kind === 'approve' ? standingQuestion(run, version.digest) : undefined);
}

/**
 * Returns the question whether this version is let through, if it was asked before: a policy that
 * decides otherwise by now does not answer it.
 */
function standingQuestion(run: Run, digest: string): NamedQuestion | undefined {
  const request = run.journal?.requests.get(requestId(run, decisionName, digest));
  if (request === undefined) return undefined;
  const { question } = request;
  const allowed = request.allowed.filter((kind) => kind !== 'reply');
  return { name: decisionName, question: { kind: 'ask', reason: question, question, allowed } };
}

function questionOf(
  human: HumanOptions,
  decision: Decision,
  review: UndecidedReview,
): NamedQuestion | undefined {
  if (decision.kind === 'stop' && decision.code === 'undecided') {
    if (human.policy === 'auto' && human.notify === undefined) return undefined;
    return {
      name: undecidedName(review),
      question: undecidedQuestion(review, decision.reason),
      approves: human.policy !== 'auto',
    };
  }
  if (decision.kind !== 'approve') return undefined;
  const question = approvalQuestion(human, decision);
  return question && { name: decisionName, question };
}

/** Returns the effect of a person's answer; without an answer, it suspends the run. */
export async function askPerson<Task, Output>(
  run: Run,
  definition: Definition<Task, Output>,
  judged: JudgedVersion<Output>,
  asked: NamedQuestion,
): Promise<AnswerEffect<Output>> {
  const given = asked.name === decisionName ? approvalWithDecisions(run, judged) : undefined;
  const answer = given ?? answerFor(run, answerable(asked, definition), judged);
  return answer === undefined
    ? { kind: 'end', ending: await suspend(run, definition, judged.version) }
    : verdictOf(run, definition, answer, judged);
}
