import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { type HumanAnswer, HumanAnswerSchema, type HumanRequest } from '../core/human.js';
import { invalid } from '../core/options.js';
import { isMissing, makeFolders, writeDurably } from '../node/durable.js';
import { nodeErrors } from '../node/errors.js';
import { insideFolder } from '../node/safe-path.js';
import type { HumanGate, HumanTexts } from '../ports/human-gate.js';
import { redactJson } from '../redact/redact-json.js';

const AnswerFileSchema = z.strictObject({
  schemaVersion: z.literal(1),
  id: z.string(),
  digest: z.string(),
  answer: HumanAnswerSchema,
});

/**
 * Asks by files, one folder for each question: `request.json` is written, and `answer.json` read once somebody has put it there, as
 * `{ schemaVersion: 1, id, digest, answer }` with the id and the digest of the request. It does not wait: ask again later. What looks
 * like a secret is taken out of what is written.
 *
 * @throws ReviewLoopError `invalid_options`; `ask` rejects with `answer_invalid`, `request_stale`, `file_unreadable`, `output_unwritable`.
 * @example
 * ```ts
 * const outcome = await answerWith(pipeline, suspended, filePerson('.reviewloop/questions'));
 * ```
 */
export function filePerson(directory: string): HumanGate {
  if (typeof directory !== 'string' || directory === '')
    throw invalid('directory', 'the path of a folder', directory);
  const folder = resolve(directory);
  return {
    ask: async (request, texts = {}) => {
      const place = insideFolder(folder, request.id.replaceAll(/[\\/]/g, '_'));
      const answer = await readAnswer(join(place, 'answer.json'), request);
      if (answer === undefined) await writeRequest(place, request, texts);
      return answer;
    },
  };
}

async function writeRequest(
  place: string,
  request: HumanRequest,
  texts: HumanTexts,
): Promise<void> {
  const path = join(place, 'request.json');
  try {
    await makeFolders(place);
    await writeDurably(
      path,
      `${JSON.stringify(redactJson({ schemaVersion: 1, request, texts }), null, 2)}\n`,
    );
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.output_unwritable,
      `${path} cannot be written: ${messageOf(error)}`,
      { cause: error, value: path },
    );
  }
}

async function readAnswer(
  path: string,
  { id, digest }: HumanRequest,
): Promise<HumanAnswer | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new ReviewLoopError(
      nodeErrors.file_unreadable,
      `${path} cannot be read: ${messageOf(error)}`,
      {
        cause: error,
        value: path,
      },
    );
  }
  const parsed = AnswerFileSchema.safeParse(jsonOf(text));
  if (!parsed.success)
    throw new ReviewLoopError(
      'answer_invalid',
      `${path} is no answer: ${z.prettifyError(parsed.error)}`,
      { cause: parsed.error, value: path },
    );
  if (parsed.data.id !== id || parsed.data.digest !== digest)
    throw new ReviewLoopError(
      'request_stale',
      `${path} answers another question than ${id} about version ${digest}`,
      { value: path },
    );
  return parsed.data.answer;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
