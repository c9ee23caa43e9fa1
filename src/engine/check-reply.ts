import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import type { HumanAnswer, HumanRequest } from '../core/human.js';
import { copyJson } from '../core/json.js';
import { invalid } from '../core/options.js';
import { engineErrors } from './errors.js';

export function checkData(answer: HumanAnswer, { id }: Pick<HumanRequest, 'id'>): void {
  if (answer.kind !== 'reply') return;
  try {
    copyJson(answer.value, { freeze: false });
  } catch (error) {
    throw refused(id, messageOf(error), answer.value);
  }
}

export function checkReply(
  answer: HumanAnswer,
  { id, responseSchema }: Pick<HumanRequest, 'id' | 'responseSchema'>,
): void {
  if (answer.kind !== 'reply' || responseSchema === undefined) return;
  const { value } = answer;
  const { error } = z.fromJSONSchema(responseSchema).safeParse(value);
  if (error !== undefined) throw refused(id, z.prettifyError(error), value);
}

function refused(id: string, why: string, value: unknown): ReviewLoopError {
  return new ReviewLoopError(
    engineErrors.answer_invalid,
    `the reply to question ${id} was refused: ${why}`,
    { value },
  );
}

export function checkQuestion({ question, allowed, responseSchema }: HumanRequest): void {
  if (typeof question !== 'string' || question.trim() === '')
    throw invalid('question', 'a question', question);
  if (!Array.isArray(allowed) || allowed.length === 0)
    throw invalid('allowed', 'at least one kind of answer', allowed);
  if (responseSchema === undefined) return;
  try {
    z.fromJSONSchema(responseSchema);
  } catch (error) {
    throw invalid('responseSchema', `a JSON Schema (${messageOf(error)})`, responseSchema);
  }
}
