import type { HumanAnswer } from '../core/human.js';
import type { Review } from '../core/review.js';
import type { Store } from '../ports/store.js';
import type { TaskAttempt } from './attempt-store.js';

/** The last answer of a person about each version, by its digest. */
export type AnswersByVersion = ReadonlyMap<string, HumanAnswer>;

/** Returns the answers that people gave in a run. */
export async function answersOf(store: Store, runId: string): Promise<AnswersByVersion> {
  const records = (await store.read(runId)) ?? [];
  return new Map(
    records.flatMap((record) =>
      record.type === 'answer' ? [[record.digest, record.answer] as const] : [],
    ),
  );
}

/** Returns who answered about a version, and the reason in the words of that person. */
export function answerAbout(
  { version }: Review,
  answers: AnswersByVersion,
): Pick<TaskAttempt, 'decidedBy' | 'decisionReason'> {
  const answer = answers.get(version);
  const reason = answer?.kind === 'revise' ? answer.note : answer?.reason;
  return { decidedBy: answer?.by ?? null, decisionReason: reason ?? null };
}
