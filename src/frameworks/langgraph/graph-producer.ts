import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { ReviewLoopError } from '../../core/errors.js';
import { type HumanAnswer, HumanAnswerSchema } from '../../core/human.js';
import { checkKeys } from '../../core/options.js';
import {
  type AgentMaker,
  type AgentTurn,
  agentMaker,
  type TurnCall,
} from '../shared/agent-maker.js';
import { plainJson } from '../shared/plain-json.js';
import { approvalOf, type Waiting } from '../shared/waiting.js';
import { withoutGraph } from './inner-graph.js';
import { importLanggraph } from './peer.js';
import { usageCallback } from './usage-callback.js';

/** A compiled graph of LangGraph. */
export interface GraphLike {
  invoke(input: never, config?: never): Promise<unknown>;
}

/** Options of {@link graphProducer}. */
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
  const { input, output, resume = resumeValue, ...rest } = options;
  if (typeof graph?.invoke !== 'function')
    throw new ReviewLoopError(
      'invalid_options',
      'graphProducer needs a compiled graph, with `invoke`',
      { value: graph },
    );
  return agentMaker(
    {
      begin: (prompt) => ({ prompt }),
      resume: (state, answered) => ({ ...stateSchema.parse(state), answered }),
      turn: (state, call) => turn(stateSchema.parse(state), call),
    },
    rest,
  );

  async function turn(from: State, { signal, runId, iteration, reportUsage }: TurnCall) {
    const { prompt, thread = `${runId}/${iteration}` } = from;
    const { Command, isInterrupted } = await importLanggraph();
    const given =
      from.answered === undefined ? input(prompt) : new Command({ resume: repliesTo(from) });
    const ended = await withoutGraph(({ callbacks }) => {
      const config = {
        configurable: { thread_id: thread },
        signal,
        callbacks: [...callbacks, usageCallback(reportUsage)],
      };
      // the types of a graph are the user's, so its values pass through untyped
      return graph.invoke(given as never, config as never);
    });
    if (isInterrupted(ended)) {
      const waiting = ended.__interrupt__.map(waitingOf);
      return { state: { prompt, thread }, waiting } satisfies AgentTurn;
    }
    return { state: {}, waiting: [], output: plainJson(output(recordOf(ended))) };
  }

  /** Returns the reply to each interrupt, by its id. */
  function repliesTo({ answered = [] }: State): Record<string, unknown> {
    return Object.fromEntries(answered.map(({ id, answer }) => [id, resume(answer)]));
  }
}

const stateSchema = builtOnUse(() =>
  z.object({
    prompt: z.string(),
    thread: z.string().optional(),
    answered: z
      .array(z.object({ id: z.string(), answer: HumanAnswerSchema }))
      .readonly()
      .optional(),
  }),
);

type State = z.infer<typeof stateSchema>;

function waitingOf({
  id = '',
  value,
}: {
  readonly id?: string;
  readonly value?: unknown;
}): Waiting {
  return { id, kind: 'question', value: plainJson(value ?? null) };
}

function resumeValue(answer: HumanAnswer): unknown {
  return answer.kind === 'reply' ? answer.value : approvalOf(answer);
}

function recordOf(state: unknown): Record<string, unknown> {
  return typeof state === 'object' && state !== null ? { ...state } : {};
}
