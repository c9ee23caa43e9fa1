import { ReviewLoopError } from '../../core/errors.js';
import { checkKeys } from '../../core/options.js';
import { type AgentMaker, type AgentMakerOptions, agentMaker } from '../shared/agent-maker.js';
import { type MastraAgent, MastraDriver, type MastraResult } from './mastra-driver.js';

export interface MastraProducerOptions<Task, Output, Result extends MastraResult>
  extends AgentMakerOptions<Task> {
  /**
   * Options of `generate`, such as `requireToolApproval`, `maxSteps` or `memory`. A function returns
   * them for each call, such as the active span in `tracingOptions`.
   *
   * @default {}
   */
  readonly generate?: object | (() => object) | undefined;
  /** Returns the output from the result of the agent; JSON data. @default its text */
  readonly output?: ((result: Result) => Output) | undefined;
}

/**
 * Lets an agent of Mastra do the work of a pipeline. Each call of the agent is a recorded step. A
 * tool call that needs approval becomes a question to a person, and the answer goes back to the
 * agent. For that, the agent belongs to a `Mastra` with a storage: it keeps the paused call.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const article = definePipeline({
 *   ...mastraProducer(agent, { prompt: (topic: string) => `Write about ${topic}` }),
 *   criteria: { 'has-title': (text) => text.startsWith('# ') || 'no title' },
 * });
 * ```
 */
export function mastraProducer<
  Task = string,
  Output = string,
  Result extends MastraResult = MastraResult,
>(
  agent: MastraAgent<Result>,
  options: MastraProducerOptions<Task, Output, Result> = {},
): AgentMaker<Task, Output> {
  checkKeys('mastraProducer', options, ['prompt', 'approve', 'output', 'generate']);
  if (typeof agent?.generate !== 'function')
    throw new ReviewLoopError('invalid_options', 'mastraProducer needs an agent of Mastra', {
      value: agent,
    });
  const { output = ({ text }: Result) => text, generate = {}, ...rest } = options;
  return agentMaker(new MastraDriver({ agent, output, generate }), rest);
}
