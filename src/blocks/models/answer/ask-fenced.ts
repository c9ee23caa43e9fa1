import type { LLMRequest } from '../../../core/llm-provider.js';
import { answerToken, promptNonce } from '../prompt/fence.js';
import { askModel } from './ask-model.js';
import type { AnswerReading, ReadModelOptions } from './ask-options.js';

export interface FencedQuestion {
  /** The lines of the instructions. */
  readonly system: readonly string[];
  /** The fenced texts. They come before the question, so that a service can cache them. */
  readonly material: readonly string[];
  readonly question: string;
}

/** What no author of a fenced text knows. */
export interface Seal {
  readonly nonce: string;
  /** The answer must repeat it, so that no text of the material can pass for an answer. */
  readonly token: string;
}

/**
 * @param secret - The nonce of the run. The prompt gets its own one.
 * @param material - All fenced texts, as JSON data.
 * @param questions - What the prompt asks, as JSON data.
 */
export function sealOf(secret: string, material: unknown, questions: unknown): Seal {
  const nonce = promptNonce(secret, material);
  return { nonce, token: answerToken(nonce, questions) };
}

export function fencedPrompt({
  system,
  material,
  question,
}: FencedQuestion): Pick<LLMRequest, 'messages'> & { readonly system: string } {
  return {
    system: system.join('\n'),
    messages: [material.join('\n\n'), question].map((content) => ({ role: 'user', content })),
  };
}

interface Sealed {
  readonly token: string;
}

/** Reads only an answer that repeats the token. */
export function sealedReading<Data extends Sealed, Value>(
  { token }: Seal,
  read: (data: Data) => AnswerReading<Value>,
): (data: Data) => AnswerReading<Value> {
  return (data) => (data.token === token ? read(data) : { problem: `\`token\` must be ${token}` });
}

type FencedOptions<Data extends Sealed, Value> = ReadModelOptions<Data, Value> & {
  readonly seal: Seal;
  readonly fenced: FencedQuestion;
};

/** Asks a model about texts that it must not obey. */
export async function askFenced<Data extends Sealed, Value>({
  seal,
  fenced,
  read,
  ...options
}: FencedOptions<Data, Value>): Promise<Value> {
  const asked = { ...options, ...fencedPrompt(fenced), read: sealedReading(seal, read) };
  return (await askModel(asked)).value;
}
