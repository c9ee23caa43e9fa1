import * as z from 'zod';
import { builtOnUse } from '../../../core/built-on-use.js';
import { ReviewLoopError } from '../../../core/errors.js';
import type { HumanAnswer } from '../../../core/human.js';
import { digestJson } from '../../../core/json.js';
import { loadPeer, mayBeAbsent } from '../../../core/load-peer.js';
import { checkKeys, invalid } from '../../../core/options.js';
import type { Usage } from '../../../core/usage.js';
import {
  type AgentDriver,
  type AgentMaker,
  type AgentTurn,
  type Answered,
  AnsweredSchema,
  agentMaker,
  approvalOf,
  readState,
  stateLost,
  type TurnCall,
  type Waiting,
} from '../shared/agent-maker.js';
import { checkWords, endWords, incomplete, membersOf, plainJson } from '../shared/ending.js';
import { knownOf } from '../shared/usage-of.js';

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

interface GraphParts
  extends Pick<GraphProducerOptions<never, unknown>, 'input' | 'output' | 'resume'> {
  readonly graph: GraphLike;
}

class GraphDriver implements AgentDriver {
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

  /** The graph asked in this thread, and may have gone on since. */
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
    return withoutGraph((callbacks) => {
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

interface Going {
  readonly thread: string;
  readonly call: TurnCall;
  readonly words: string[];
}

const stateSchema = builtOnUse(() =>
  z.object({
    prompt: z.string(),
    thread: z.string().optional(),
    checkpoint: z.string().optional(),
    digest: z.string().optional(),
    answered: AnsweredSchema.optional(),
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

function lastAnswer(messages: unknown): unknown {
  if (!Array.isArray(messages)) return undefined;
  return messages.findLast((message: unknown) => {
    const { getType, type } = membersOf(message);
    return (typeof getType === 'function' ? getType.call(message) : type) === 'ai';
  });
}

/** A graph without a checkpointer may have stopped at them for good. */
function breakpointsOf(graph: GraphLike): string[] {
  const { interruptBefore, interruptAfter } = membersOf(graph);
  return [interruptBefore, interruptAfter].flat().filter((node) => typeof node === 'string');
}

/**
 * Inside another graph, its interrupts would be thrown through the pipeline, and the outer graph
 * would replay them by their position.
 */
async function withoutGraph<Value>(
  call: (callbacks: readonly unknown[]) => Promise<Value>,
): Promise<Value> {
  const { AsyncLocalStorageProviderSingleton: graphs } = await importSingletons();
  const callbacks = handlersOf(graphs.getRunnableConfig()?.callbacks);
  return graphs.runWithConfig(undefined, () => call(callbacks), true);
}

function handlersOf(callbacks: unknown): readonly unknown[] {
  if (Array.isArray(callbacks)) return callbacks;
  const isManager = typeof callbacks === 'object' && callbacks !== null && 'handlers' in callbacks;
  return isManager && Array.isArray(callbacks.handlers) ? callbacks.handlers : [];
}

interface GraphLike {
  invoke(input: never, config?: never): Promise<unknown>;
  /** Returns the state that the checkpointer has of a thread. */
  getState?(config: never, options?: never): Promise<unknown>;
}

interface GraphState {
  /** The checkpoint; undefined for a thread that is not known. */
  readonly checkpoint: unknown;
  /** The nodes that have not run yet; none if the graph has ended. */
  readonly next: readonly string[];
  readonly values: unknown;
  readonly asked: readonly unknown[];
  /** The digest of the values at the checkpoint and of the tasks after it, also of one that has begun. */
  readonly digest: string;
}

async function graphState(
  graph: GraphLike,
  thread: string,
  earlier?: string,
): Promise<GraphState | undefined> {
  const isKept = !('checkpointer' in graph) || Boolean(graph.checkpointer);
  if (!isKept || graph.getState === undefined) return undefined;
  const configurable = { thread_id: thread, ...(earlier && { checkpoint_id: earlier }) };
  // the types of a graph are the user's, so its values pass through untyped
  const given = { configurable } as never;
  const snapshot = membersOf(await graph.getState(given, { subgraphs: true } as never));
  const { values, next, config } = snapshot;
  const checkpoint = membersOf(membersOf(config)['configurable'])['checkpoint_id'];
  const tasks = listOf(snapshot['tasks']).map(membersOf);
  const begun = tasks.map(({ name, state }) => [
    name,
    Object.keys(membersOf(membersOf(state)['values'])).length > 0,
  ]);
  return {
    checkpoint,
    next: listOf(next).map(String),
    values,
    asked: tasks.flatMap(({ interrupts }) => listOf(interrupts).map((one) => membersOf(one)['id'])),
    digest: digestJson(plainJson({ checkpoint, values, begun })),
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const count = builtOnUse(() => z.number().min(0).optional());

const usageMetadata = builtOnUse(() =>
  z.object({
    input_tokens: count,
    output_tokens: count,
    total_tokens: count,
    input_token_details: z.object({ cache_read: count }).optional(),
    output_token_details: z.object({ reasoning: count }).optional(),
  }),
);

const generation = builtOnUse(() =>
  z.object({
    message: z
      .object({
        usage_metadata: usageMetadata.optional().catch(undefined),
        response_metadata: z.unknown().optional(),
      })
      .optional(),
    generationInfo: z.unknown().optional(),
  }),
);

const modelResult = builtOnUse(() =>
  z.object({
    generations: z.array(z.array(generation)),
  }),
);

/**
 * Reports what each model call of a graph used, and keeps the words with which the last one ended.
 */
function modelCallback(report: (usage: Usage) => void, words: string[]) {
  return {
    name: 'reviewloop-model',
    handleLLMEnd: (output: unknown): void => {
      const { data } = modelResult.safeParse(output);
      const { message, generationInfo } = data?.generations[0]?.[0] ?? {};
      words.splice(0, words.length, ...endWords(message?.response_metadata ?? generationInfo));
      const used = message?.usage_metadata;
      if (used === undefined) return;
      report(
        knownOf({
          inputTokens: used.input_tokens,
          outputTokens: used.output_tokens,
          totalTokens: used.total_tokens,
          cachedInputTokens: used.input_token_details?.cache_read,
          reasoningTokens: used.output_token_details?.reasoning,
        }),
      );
    },
  };
}

interface Langgraph {
  readonly interrupt: (value: unknown) => unknown;
  readonly Command: new (given: { readonly resume: unknown }) => object;
  readonly isInterrupted: (value: unknown) => value is {
    readonly __interrupt__: readonly { readonly id?: string; readonly value?: unknown }[];
  };
}

export function importLanggraph(): Promise<Langgraph> {
  return loadPeer(peer, () => import('@langchain/langgraph' as string).catch(mayBeAbsent));
}

interface LangchainSingletons {
  readonly AsyncLocalStorageProviderSingleton: {
    getRunnableConfig(): { readonly callbacks?: unknown } | undefined;
    runWithConfig<Value>(config: unknown, callback: () => Value, isRoot: boolean): Value;
  };
}

/** They know which graph a call is made in. */
function importSingletons(): Promise<LangchainSingletons> {
  return loadPeer(peer, () => import('@langchain/core/singletons' as string).catch(mayBeAbsent));
}

const peer = {
  feature: 'reviewloop/langgraph',
  packages: ['@langchain/langgraph', '@langchain/core'],
};
