import * as z from 'zod';
import { builtOnUse } from '../../../core/built-on-use.js';
import { messageOf, ReviewLoopError } from '../../../core/errors.js';
import { checkKeys, isCallable } from '../../../core/options.js';
import type { Usage } from '../../../core/usage.js';
import {
  type AgentDriver,
  type AgentMaker,
  type AgentMakerOptions,
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

export interface AgentsProducerOptions<Task, Output> extends AgentMakerOptions<Task>, AgentsParts {
  /** Returns the output from what the agent made; JSON data. @default what the agent made */
  readonly output?: ((finalOutput: unknown) => Output) | undefined;
}

/**
 * Lets an agent of the OpenAI Agents SDK do the work of a pipeline. Each call of the runner is a
 * recorded step, with the state of the run. A tool that needs approval becomes a question to a
 * person. Usage is counted once, although the SDK adds it up over all calls.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const article = definePipeline({
 *   ...agentsProducer({ runner: new Runner(), agent, fromString: RunState.fromString }),
 *   criteria: { 'has-title': (text) => text.startsWith('# ') || 'no title' },
 * });
 * ```
 */
export function agentsProducer<Task = string, Output = string>(
  options: AgentsProducerOptions<Task, Output>,
): AgentMaker<Task, Output> {
  const names = ['runner', 'agent', 'fromString', 'prompt', 'approve', 'output', 'onEvent'];
  checkKeys('agentsProducer', options, names);
  const { runner, agent, fromString, prompt, approve } = options;
  const isRunnable = isCallable(runner, 'run') && typeof agent === 'object' && agent !== null;
  if (!isRunnable || typeof fromString !== 'function')
    throw new ReviewLoopError(
      'invalid_options',
      'agentsProducer needs `runner` (such as `new Runner()`), `agent`, and `fromString` ' +
        '(`RunState.fromString`)',
      { value: { runner, agent, fromString } },
    );
  return agentMaker(new AgentsDriver(options), { prompt, approve });
}

class AgentsDriver implements AgentDriver {
  readonly peer = { feature: 'reviewloop/openai-agents', packages: ['@openai/agents'] };
  readonly #parts: AgentsParts;

  constructor(parts: AgentsParts) {
    this.#parts = parts;
  }

  begin(prompt: string): State {
    return { prompt };
  }

  resume(state: unknown, answered: readonly Answered[]): State {
    return { ...readState(stateSchema, state), answered };
  }

  async turn(state: unknown, { signal, reportUsage }: TurnCall): Promise<AgentTurn> {
    const { runner, agent, output } = this.#parts;
    const from = readState(stateSchema, state);
    const restored = await this.#restored(from);
    const before = countsOf(restored?.usage);
    const input = restored ?? from.prompt;
    const stream = this.#parts.onEvent !== undefined;
    // the types of the SDK are its own, so its values pass through untyped
    const ended = await runner.run(agent as never, input as never, {
      signal,
      ...(stream && { stream }),
    });
    if (stream) await this.#follow(ended, signal);
    reportUsage(usageSince(before, ended.state.usage));
    const waiting = ended.state.getInterruptions().map(waitingOf);
    if (waiting.length > 0)
      return { state: { prompt: from.prompt, run: ended.state.toString() }, waiting };
    const { finalOutput } = ended;
    if (finalOutput === undefined) throw incomplete('ended without output');
    checkWords(wordsOf(ended.rawResponses?.at(-1)), finalOutput);
    const made = output === undefined ? finalOutput : output(finalOutput);
    return { state: {}, waiting, output: plainJson(made) };
  }

  /** Hands the events of a streamed run on, until it has ended. */
  async #follow(ended: object, signal: AbortSignal): Promise<void> {
    if (!isStreamed(ended)) return;
    for await (const event of ended) this.#parts.onEvent?.(event);
    await ended.completed;
    signal.throwIfAborted();
  }

  async #restored({ run, answered }: State): Promise<AgentsRunState | undefined> {
    if (answered === undefined) return undefined;
    if (run === undefined) throw stateLost('the agent was answered, and had not asked');
    const { fromString, agent } = this.#parts;
    const state = await fromString(agent as never, run).catch((error: unknown) => {
      throw stateLost(`the SDK cannot restore the run: ${messageOf(error)}`, error);
    });
    const items = new Map(state.getInterruptions().map((item) => [callIdOf(item), item]));
    for (const one of answered) {
      const item = items.get(one.id);
      if (item === undefined) throw stateLost(`the restored run no longer asks about ${one.id}`);
      decide(state, item, one);
    }
    return state;
  }
}

interface StreamedRun extends AsyncIterable<AgentsStreamEvent> {
  readonly completed: Promise<void>;
}

function isStreamed(ended: object): ended is StreamedRun {
  return Symbol.asyncIterator in ended && 'completed' in ended;
}

function decide(state: AgentsRunState, item: ApprovalItem, { answer }: Answered): void {
  const { approved, reason } = approvalOf(answer);
  if (approved) state.approve(item as never);
  else state.reject(item as never, reason === undefined ? {} : { message: reason });
}

const stateSchema = builtOnUse(() =>
  z.object({
    prompt: z.string(),
    run: z.string().optional(),
    answered: AnsweredSchema.optional(),
  }),
);

type State = z.infer<typeof stateSchema>;

function waitingOf(item: ApprovalItem): Waiting {
  const { name = 'tool', arguments: given } = item;
  return { id: callIdOf(item), kind: 'tool', tool: name, input: inputOf(given) };
}

function inputOf(given: string | undefined): unknown {
  if (given === undefined) return null;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

/** A function has a `callId`, a hosted tool an `id`. */
function callIdOf({ rawItem }: ApprovalItem): string {
  const { callId, id } = rawIds.parse(rawItem);
  return callId ?? id ?? '';
}

const rawIds = builtOnUse(() =>
  z.object({ callId: z.string().optional(), id: z.string().optional() }),
);

function wordsOf(response: unknown): string[] {
  const { output, providerData } = membersOf(response);
  const items: readonly unknown[] = Array.isArray(output) ? output : [];
  const parts = items.flatMap((item) => membersOf(item)['content'] ?? []);
  return [providerData, ...items, ...parts].flatMap(endWords);
}

interface ApprovalItem {
  readonly rawItem: object;
  readonly name?: string | undefined;
  readonly arguments?: string | undefined;
}

interface AgentsRunState {
  readonly usage: AgentsUsage;
  /** Returns the state as a text, from which it can be restored. */
  toString(): string;
  /** Returns the tool calls that wait for approval. */
  getInterruptions(): readonly ApprovalItem[];
  approve(item: never): void;
  reject(item: never, options?: { message?: string }): void;
}

export interface AgentsRunner {
  /** Runs an agent from a prompt or a state. */
  run(
    agent: never,
    input: never,
    options?: { signal?: AbortSignal; stream?: boolean },
  ): Promise<{
    readonly finalOutput?: unknown;
    readonly state: AgentsRunState;
    /** What the model answered, the last answer last. */
    readonly rawResponses?: readonly object[];
  }>;
}

interface AgentsStreamEvent {
  readonly type: string;
}

interface AgentsParts {
  /** Runs the agent, such as `new Runner()`. */
  readonly runner: AgentsRunner;
  /** The agent that begins. */
  readonly agent: object;
  /** `RunState.fromString`, which restores a run that waited. */
  readonly fromString: (agent: never, state: string) => Promise<AgentsRunState>;
  /** Returns the output from what the agent made; JSON data. @default what the agent made */
  readonly output?: ((finalOutput: unknown) => unknown) | undefined;
  /**
   * Receives the events of the SDK while the agent works; the run is streamed then.
   *
   * @default undefined the run is not streamed
   */
  onEvent?(event: AgentsStreamEvent): void;
}

interface AgentsUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly inputTokensDetails?: readonly Readonly<Record<string, number>>[] | undefined;
  readonly outputTokensDetails?: readonly Readonly<Record<string, number>>[] | undefined;
}

/** The usage of the SDK changes while it runs, so it is copied. */
export interface UsageCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly cached: number | undefined;
  readonly reasoning: number | undefined;
}

/** The SDK adds up over all calls of a run. */
function usageSince(from: UsageCounts, after: AgentsUsage): Usage {
  const to = countsOf(after);
  return knownOf({
    inputTokens: to.inputTokens - from.inputTokens,
    outputTokens: to.outputTokens - from.outputTokens,
    totalTokens: to.totalTokens - from.totalTokens,
    ...(to.cached !== undefined && { cachedInputTokens: to.cached - (from.cached ?? 0) }),
    ...(to.reasoning !== undefined && { reasoningTokens: to.reasoning - (from.reasoning ?? 0) }),
  });
}

function countsOf(usage: AgentsUsage | undefined): UsageCounts {
  const { inputTokens = 0, outputTokens = 0, totalTokens = 0 } = usage ?? {};
  return {
    inputTokens,
    outputTokens,
    totalTokens,
    cached: sumOf(usage?.inputTokensDetails, 'cached_tokens'),
    reasoning: sumOf(usage?.outputTokensDetails, 'reasoning_tokens'),
  };
}

function sumOf(
  details: readonly Readonly<Record<string, number>>[] | undefined,
  name: string,
): number | undefined {
  const known = (details ?? []).map((entry) => entry[name]).filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0);
}
