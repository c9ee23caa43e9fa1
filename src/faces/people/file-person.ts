import { join } from 'node:path';
import * as z from 'zod';
import { ReviewLoopError } from '../../core/errors.js';
import { type HumanAnswer, HumanAnswerSchema, type HumanRequest } from '../../core/human.js';
import { jsonIn } from '../../core/json-or-text.js';
import { redactJson } from '../../core/redact/redact-json.js';
import { engineErrors } from '../../engine/errors.js';
import { writeDurably } from '../../node/durable.js';
import { unwritableFile } from '../../node/files.js';
import { insideFolder } from '../../node/inside-root.js';
import { checkedFolder, makeStoreFolder, readStored } from '../../node/store-file.js';
import type { HumanGate, HumanTexts } from '../../ports/human-gate.js';

const AnswerFileSchema = z.strictObject({
  schemaVersion: z.literal(1),
  id: z.string(),
  digest: z.string(),
  answer: HumanAnswerSchema,
});

/**
 * Creates a human gate that asks through files, with one folder for each question. `ask` writes
 * `request.json` and returns at once; ask again later. A person answers with `answer.json`:
 * `{ schemaVersion: 1, id, digest, answer }`, with the id and the digest of the request. Texts that
 * look like secrets are redacted.
 *
 * @param directory - Folder of the questions, created with the first one.
 * @throws ReviewLoopError `invalid_options`. `ask`: `answer_invalid`, `request_stale`,
 * `file_unreadable`, `output_unwritable`
 * @example
 * ```ts
 * const outcome = await answerWith(pipeline, suspended, filePerson('.reviewloop/questions'));
 * ```
 */
export function filePerson(directory: string): HumanGate {
  const folder = checkedFolder(directory);
  return {
    ask: async (request, texts = {}) => {
      const place = insideFolder(folder, request.id.replaceAll(/[\\/]/g, '_'));
      const answer = await readAnswer(join(place, 'answer.json'), request);
      if (answer === undefined) await writeRequest(folder, place, { request, texts });
      return answer;
    },
  };
}

async function writeRequest(
  folder: string,
  place: string,
  { request, texts }: { readonly request: HumanRequest; readonly texts: HumanTexts },
): Promise<void> {
  const path = join(place, 'request.json');
  try {
    await makeStoreFolder(folder, place);
    await writeDurably(
      path,
      `${JSON.stringify(redactJson({ schemaVersion: 1, request, texts }), null, 2)}\n`,
    );
  } catch (error) {
    throw unwritableFile(path, error);
  }
}

async function readAnswer(
  path: string,
  { id, digest }: HumanRequest,
): Promise<HumanAnswer | undefined> {
  const text = await readStored(path);
  if (text === undefined) return undefined;
  const parsed = AnswerFileSchema.safeParse(jsonIn(text));
  if (!parsed.success)
    throw new ReviewLoopError(
      engineErrors.answer_invalid,
      `${path} is not a valid answer: ${z.prettifyError(parsed.error)}`,
      { cause: parsed.error, value: path },
    );
  if (parsed.data.id !== id || parsed.data.digest !== digest)
    throw new ReviewLoopError(
      engineErrors.request_stale,
      `${path} does not answer question ${id} about version ${digest}`,
      { value: path },
    );
  return parsed.data.answer;
}
