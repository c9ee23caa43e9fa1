import { ReviewLoopError } from '../../core/errors.js';
import type { HumanAnswer } from '../../core/human.js';
import { checkKeys } from '../../core/options.js';
import { type AgentMaker, agentMaker } from '../shared/agent-maker.js';
import { GraphDriver } from './graph-driver.js';
import type { GraphLike } from './graph-state.js';

export interface GraphProducerOptions<Task, Output> {
  /** Returns what the graph begins with. `prompt` is the task, later with the gaps. */
  readonly input: (prompt: string) => object;
  /** Returns the output from the last state of the graph; JSON data. */
  readonly output: (state: Readonly<Record<string, unknown>>) => Output;
  /** Returns what the graph is asked to do. @default the task, or its JSON if it is not a text */
  readonly prompt?: ((task: Task) => string) | undefined;
  /**
   * Returns what an `interrupt` of the graph gives back for the answer of a person.
   *
   * @default the value of a `reply`, else `{ approved, reason }`
   */
  readonly resume?: ((answer: HumanAnswer) => unknown) | undefined;
}

/**
 * Lets a graph of LangGraph do the work of a pipeline. Each call of the graph is a recorded step. An
 * `interrupt` of the graph becomes a question to a person, also if the pipeline runs inside a node
 * of another graph. A graph that interrupts needs a checkpointer of its own; any other graph is best
 * compiled with `checkpointer: false`.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const article = definePipeline({
 *   ...graphProducer<string, string>(graph, {
 *     input: (prompt) => ({ messages: [new HumanMessage(prompt)] }),
 *     output: ({ messages }) => lastText(messages),
 *   }),
 *   criteria: { 'has-title': (text) => text.startsWith('# ') || 'no title' },
 * });
 * ```
 */
export function graphProducer<Task, Output>(
  graph: GraphLike,
  options: GraphProducerOptions<Task, Output>,
): AgentMaker<Task, Output> {
  checkKeys('graphProducer', options, ['input', 'output', 'prompt', 'resume']);
  const { input, output, resume, ...rest } = options;
  if (typeof graph?.invoke !== 'function')
    throw new ReviewLoopError(
      'invalid_options',
      'graphProducer needs a compiled graph, with `invoke`',
      { value: graph },
    );
  return agentMaker(new GraphDriver({ graph, input, output, resume }), rest);
}
