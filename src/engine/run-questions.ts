import { hashText } from '../core/hash.js';
import type { Asker, AskRequest, HumanAnswer } from '../core/human.js';
import { copyJson } from '../core/json.js';
import type { Run } from './run.js';

export interface QuestionSource {
  readonly from: Asker;
  readonly digest: string;
}

/** Equal in every process for the same name and content. */
export function requestId(
  { id, journal }: Pick<Run, 'id' | 'journal'>,
  name: string,
  digest: string,
): string {
  // a run that began anew asks anew
  const again = journal?.restarts ? `\u0000${journal.restarts}` : '';
  return hashText(`${id}\u0000${name}\u0000${digest}${again}`).slice(0, 16);
}

export function answerTo(run: Run, id: string): HumanAnswer | undefined {
  const answer = run.journal?.answers.get(id);
  if (answer !== undefined && run.journal?.unheard.has(answer)) run.replaying = false;
  return answer;
}

/** Without an answer, the question becomes pending. */
export function answerOrPending(
  run: Run,
  name: string,
  { from, digest }: QuestionSource,
  request: AskRequest,
): HumanAnswer | undefined {
  const id = requestId(run, name, digest);
  const answer = answerTo(run, id);
  if (answer !== undefined) {
    if (from === 'reviewer') run.answered.add(digest);
    return answer;
  }
  const { gaps = [], responseSchema, ...rest } = request;
  const schema = responseSchema !== undefined && { responseSchema: { ...responseSchema } };
  const asked = { ...rest, gaps, ...schema, id, runId: run.id, digest, from };
  run.pending.set(id, copyJson(asked, { freeze: true }));
  return undefined;
}
