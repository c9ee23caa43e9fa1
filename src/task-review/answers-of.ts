import type { HumanAnswer } from '../core/human.js';
import type { Store } from '../ports/store.js';

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
