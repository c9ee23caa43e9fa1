import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { type HumanAnswer, HumanAnswerSchema } from '../../core/human.js';
import { invalid } from '../../core/options.js';
import {
  type AgentDriver,
  type AgentTurn,
  readState,
  stateLost,
  type TurnCall,
} from '../shared/agent-maker.js';
import { checkWords, endWords, incomplete, membersOf } from '../shared/ending.js';
import { plainJson } from '../shared/plain-json.js';
import { type Answered, approvalOf, type Waiting } from '../shared/waiting.js';
import { type GraphLike, type GraphState, graphState } from './graph-state.js';
import { modelCallback } from './model-callback.js';
import { importLanggraph, importSingletons, peer } from './peer.js';

/** A graph, and how its input, output and interrupts are read. */
export interface GraphParts {
  readonly graph: GraphLike;
  readonly input: (prompt: string) => object;
  readonly output: (state: Readonly<Record<string, unknown>>) => unknown;
  readonly resume?: ((answer: HumanAnswer) => unknown) | undefined;
}

/** Lets a graph of LangGraph begin, wait, and go on. */
export class GraphDriver implements AgentDriver {
  readonly peer = peer;
  readonly #parts: GraphParts;

  constructor(parts: GraphParts) {
    this.#parts = parts;
  }

  begin(prompt: string): State {
    return { prompt };
  }

  resume(state: unknown, answered: readonly Answered[]): State {
    return { ...readState(stateSchema, state), answered };
  }

  async turn(state: unknown, call: TurnCall): Promise<AgentTurn> {
    const from = readState(stateSchema, state);
    const { prompt, thread = `${call.runId}/${call.iteration}` } = from;
    const { isInterrupted } = await importLanggraph();
    const words: string[] = [];
    const ended = await this.#goOn(from, { thread, call, words });
    const now = await this.#stateOf(thread);
    const asks = isInterrupted(ended) ? ended.__interrupt__ : [];
    if (asks.length > 0) {
      if (now === undefined) throw invalid('graph', 'one with `getState`, because it asks', {});
      const { checkpoint, digest } = now;
      return { state: { prompt, thread, checkpoint, digest }, waiting: asks.map(waitingOf) };
    }
    const open = now?.next ?? (isInterrupted(ended) ? breakpointsOf(this.#parts.graph) : []);
    if (open.length > 0) throw incomplete(`stopped at a breakpoint: ${open.join(', ')}`);
    const values = membersOf(ended);
    const said = endWords(membersOf(lastAnswer(values['messages']))['response_metadata']);
    checkWords(said.length > 0 ? said : words);
    return { state: {}, waiting: [], output: plainJson(this.#parts.output({ ...values })) };
  }

  /** Starts the graph, or resumes it; returns what it ended with. */
  async #goOn({ prompt, answered, ...asked }: State, going: Going): Promise<unknown> {
    const { input, resume = resumeValue } = this.#parts;
    if (answered === undefined) return this.#invoke(input(prompt), going);
    const now = await this.#found(answered, asked, going.thread);
    // the process died after the graph had ended
    if (now.next.length === 0) return now.values;
    const { Command } = await importLanggraph();
    const replies = answered.map(({ id, answer }) => [id, resume(answer)]);
    return this.#invoke(new Command({ resume: Object.fromEntries(replies) }), going);
  }

  /**
   * Returns the state of a thread in which the graph asked, and may have gone on since.
   *
   * @throws ReviewLoopError `agent_state_lost` unless the checkpointer knows what the graph asked
   */
  async #found(
    answered: readonly Answered[],
    { checkpoint, digest }: Pick<State, 'checkpoint' | 'digest'>,
    thread: string,
  ): Promise<GraphState> {
    const now = await this.#stateOf(thread);
    const isThere = now?.checkpoint === checkpoint;
    const then = isThere ? now : await this.#stateOf(thread, checkpoint);
    if (now === undefined || digest === undefined || then?.digest !== digest)
      throw stateLost(`the checkpointer has no thread ${thread} as it was when the graph asked`);
    if (isThere && !answered.every(({ id }) => now.asked.includes(id)))
      throw stateLost(`thread ${thread} of the graph no longer asks what was answered`);
    return now;
  }

  #stateOf(thread: string, earlier?: string): Promise<GraphState | undefined> {
    return withoutGraph(() => graphState(this.#parts.graph, thread, earlier));
  }

  #invoke(given: object, { thread, call, words }: Going): Promise<unknown> {
    const { signal, reportUsage } = call;
    return withoutGraph(({ callbacks }) => {
      const config = {
        configurable: { thread_id: thread },
        signal,
        callbacks: [...callbacks, modelCallback(reportUsage, words)],
      };
      // the types of a graph are the user's, so its values pass through untyped
      return this.#parts.graph.invoke(given as never, config as never);
    });
  }
}

/** What a call of the graph needs. */
interface Going {
  readonly thread: string;
  readonly call: TurnCall;
  /** The words with which the last call of a model ended. */
  readonly words: string[];
}

const stateSchema = builtOnUse(() =>
  z.object({
    prompt: z.string(),
    thread: z.string().optional(),
    /** The checkpoint at which the graph asked, and the digest of its state there. */
    checkpoint: z.string().optional(),
    digest: z.string().optional(),
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

/** Returns the last message of a model in a list of messages. */
function lastAnswer(messages: unknown): unknown {
  if (!Array.isArray(messages)) return undefined;
  return messages.findLast((message: unknown) => {
    const { getType, type } = membersOf(message);
    return (typeof getType === 'function' ? getType.call(message) : type) === 'ai';
  });
}

/** Returns the nodes at which a graph without a checkpointer may have stopped for good. */
function breakpointsOf(graph: GraphLike): string[] {
  const { interruptBefore, interruptAfter } = membersOf(graph);
  return [interruptBefore, interruptAfter].flat().filter((node) => typeof node === 'string');
}

/** What a graph inside of another one keeps of it. */
export interface OuterGraph {
  /** Callbacks of the outer graph, such as tracers. */
  readonly callbacks: readonly unknown[];
}

/**
 * Calls a graph as if it were not called inside of another one. Inside, its interrupts would be
 * thrown through the pipeline, and the outer graph would replay them by their position.
 */
async function withoutGraph<Value>(call: (outer: OuterGraph) => Promise<Value>): Promise<Value> {
  const { AsyncLocalStorageProviderSingleton: graphs } = await importSingletons();
  const callbacks = handlersOf(graphs.getRunnableConfig()?.callbacks);
  return graphs.runWithConfig(undefined, () => call({ callbacks }), true);
}

/** Returns handlers, from a list or from a manager of them. */
function handlersOf(callbacks: unknown): readonly unknown[] {
  if (Array.isArray(callbacks)) return callbacks;
  const isManager = typeof callbacks === 'object' && callbacks !== null && 'handlers' in callbacks;
  return isManager && Array.isArray(callbacks.handlers) ? callbacks.handlers : [];
}
