import type { Decision } from '../core/decision.js';
import type { UndecidedReview } from '../core/policy.js';
import type { Version } from '../core/version.js';
import type { Definition } from './definition.js';
import type { AnswerEffect } from './human-questions.js';
import type { NamedQuestion } from './named-question.js';
import type { Run } from './run.js';
import type { RunResult } from './run-result.js';
import type { JudgedVersion } from './version-history.js';

/** The name of the question whether a version is let through. */
export const decisionName = 'decision';

/** Loaded on first use: most runs ask nobody. */
const loadQuestions = () => import('./human-questions.js');

/** Suspends the run with its open questions. */
export async function suspendRun<Task, Output>(
  run: Run,
  definition: Definition<Task, Output>,
  version: Version<Output>,
): Promise<RunResult<Output>> {
  const { suspend } = await import('./suspend-run.js');
  return suspend(run, definition, version);
}

/** Returns the question of the option `human` after this decision, if any. */
export async function questionAfter<Task, Output>(
  { human }: Definition<Task, Output>,
  decision: Decision,
  review: UndecidedReview,
): Promise<NamedQuestion | undefined> {
  if (human === undefined) return undefined;
  if (decision.kind === 'stop' && decision.code === 'undecided') {
    if (human.policy === 'auto' && human.notify === undefined) return undefined;
    const { undecidedName, undecidedQuestion } = await import('./person-decisions.js');
    return {
      name: undecidedName(review),
      question: undecidedQuestion(review, decision.reason),
    };
  }
  if (decision.kind !== 'approve') return undefined;
  const { approvalQuestion } = await loadQuestions();
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
  const { answerable, answerFor, verdictOf } = await loadQuestions();
  const answer = answerFor(run, answerable(asked, definition), judged);
  return answer === undefined
    ? { kind: 'end', ending: await suspendRun(run, definition, judged.version) }
    : verdictOf(run, definition, answer, judged);
}

/** Returns the result, or the acceptance of its version if a person overrode it. */
export async function applyOverride<Output>(
  run: Run,
  result: RunResult<Output>,
): Promise<RunResult<Output>> {
  if (run.override === undefined && !run.journal?.answers.size) return result;
  const { overridden } = await import('./human-answers.js');
  return overridden(run, result);
}
