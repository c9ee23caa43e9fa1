import type { HumanAnswer, HumanRequest } from '../../core/human.js';
import { checkKeys } from '../../core/options.js';
import type { Outcome } from '../../core/outcome.js';
import type { RunOptions } from '../../engine/run-options.js';
import type { HumanGate, HumanTexts } from '../../ports/human-gate.js';
import type { Pipeline } from './pipeline-options.js';

export interface AnswerWithOptions extends Pick<RunOptions, 'store' | 'signal'> {
  /** Returns the texts to show with a question. @default the question alone */
  readonly texts?: ((request: HumanRequest) => HumanTexts | Promise<HumanTexts>) | undefined;
}

/**
 * Asks a person every question of a suspended run, and every question that follows. It returns when
 * the run ends. If the person gives no answer, it returns the suspended outcome.
 *
 * @throws ReviewLoopError the codes of `pipeline.answer`
 * @example
 * ```ts
 * const first = await pipeline.run(task);
 * const outcome = await answerWith(pipeline, first, terminalPerson({ by: 'Ada' }));
 * ```
 */
export async function answerWith<Task, Output>(
  pipeline: Pick<Pipeline<Task, Output>, 'answer'>,
  outcome: Outcome<Output>,
  gate: HumanGate,
  options: AnswerWithOptions = {},
): Promise<Outcome<Output>> {
  checkKeys('answerWith', options, ['store', 'signal', 'texts']);
  const { texts, ...runOptions } = options;
  let current = outcome;
  while (current.status === 'suspended') {
    const given = await firstAnswer(current.requests, gate, options);
    if (given === undefined) return current;
    const { request, answer } = given;
    current = await pipeline.answer(
      { runId: request.runId, id: request.id, digest: request.digest },
      answer,
      runOptions,
    );
  }
  return current;
}

async function firstAnswer(
  requests: readonly HumanRequest[],
  gate: HumanGate,
  { texts, signal }: AnswerWithOptions,
): Promise<{ readonly request: HumanRequest; readonly answer: HumanAnswer } | undefined> {
  for (const request of requests) {
    const answer = await gate.ask(request, await texts?.(request), { signal });
    if (answer !== undefined) return { request, answer };
  }
  return undefined;
}
