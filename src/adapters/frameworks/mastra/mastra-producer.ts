import * as z from 'zod';
import { builtOnUse } from '../../../core/built-on-use.js';
import { messageOf, ReviewLoopError } from '../../../core/errors.js';
import { HumanAnswerSchema } from '../../../core/human.js';
import { checkKeys } from '../../../core/options.js';
import {
  type AgentDriver,
  type AgentMaker,
  type AgentMakerOptions,
  type AgentTurn,
  type Answered,
  agentMaker,
  approvalOf,
  readState,
  stateLost,
  type TurnCall,
} from '../shared/agent-maker.js';
import { checkWords, incomplete, membersOf, plainJson } from '../shared/ending.js';
import { type AiSdkUsage, usageOf } from '../shared/usage-of.js';

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

interface MastraResult {
  readonly text: string;
  readonly totalUsage?: AiSdkUsage | undefined;
  readonly usage?: AiSdkUsage | undefined;
  readonly finishReason?: string | undefined;
  readonly runId?: string | undefined;
  readonly suspendPayload?: unknown;
  /** Why a processor stopped the agent. */
  readonly tripwire?: unknown;
  readonly error?: unknown;
}

/** An agent of Mastra. */
export interface MastraAgent<Result extends MastraResult = MastraResult> {
  /** Lets the agent work on messages. */
  generate(messages: never, options?: never): Promise<Result>;
  /** Goes on with a paused call, and lets it run its tool. */
  approveToolCallGenerate?(options: never): Promise<Result>;
  /** Goes on with a paused call, without its tool. */
  declineToolCallGenerate?(options: never): Promise<Result>;
}

export interface MastraParts<Result extends MastraResult> {
  readonly agent: MastraAgent<Result>;
  readonly generate: object | (() => object);
  readonly output: (result: Result) => unknown;
}

class MastraDriver<Result extends MastraResult> implements AgentDriver {
  readonly peer = { feature: 'reviewloop/mastra', packages: ['@mastra/core'] };
  readonly #parts: MastraParts<Result>;

  constructor(parts: MastraParts<Result>) {
    this.#parts = parts;
  }

  begin(prompt: string): State {
    return { prompt };
  }

  /** A paused agent waits for one tool call at a time. */
  resume(state: unknown, answered: readonly Answered[]): State {
    return { ...readState(stateSchema, state), answer: answered[0]?.answer };
  }

  async turn(state: unknown, { signal, reportUsage }: TurnCall): Promise<AgentTurn> {
    const from = readState(stateSchema, state);
    const { generate } = this.#parts;
    const given: object = typeof generate === 'function' ? generate() : generate;
    const result = await this.#call(from, { ...given, abortSignal: signal });
    reportUsage(usageOf(result.totalUsage ?? result.usage));
    if (result.finishReason === 'suspended') return this.#paused(from, result);
    checkComplete(result);
    return { state: {}, waiting: [], output: plainJson(this.#parts.output(result)) };
  }

  async #call({ prompt, paused, answer }: State, given: object): Promise<Result> {
    const { agent } = this.#parts;
    // the types of Mastra are its own, so its values pass through untyped
    if (answer === undefined)
      return agent.generate([{ role: 'user', content: prompt }] as never, given as never);
    if (paused === undefined) throw stateLost('the agent was answered, and had not asked');
    const { runId, toolCallId, kept } = paused;
    if (kept === true && !(await keepsPrompt(agent, runId, prompt)))
      throw stateLost(`the storage of Mastra no longer has the prompt of run ${runId}`);
    const { approved, reason } = approvalOf(answer);
    const call = {
      ...given,
      runId,
      toolCallId,
      ...(!approved && reason !== undefined && { reason }),
    };
    const going = approved
      ? agent.approveToolCallGenerate?.(call as never)
      : agent.declineToolCallGenerate?.(call as never);
    if (going === undefined)
      throw new ReviewLoopError(
        'invalid_options',
        'this version of Mastra cannot approve tool calls; use @mastra/core 1.71 or newer',
      );
    return going.catch((error: unknown) => {
      if (!String(membersOf(error)['id']).startsWith('AGENT_RESUME_')) throw error;
      throw stateLost(`Mastra cannot resume the agent: ${messageOf(error)}`, error);
    });
  }

  async #paused(
    { prompt }: State,
    { runId = '', suspendPayload }: MastraResult,
  ): Promise<AgentTurn> {
    const { data } = pausedSchema.safeParse(suspendPayload);
    if (data === undefined) throw incomplete('is suspended, but by no tool call', suspendPayload);
    const { toolCallId, toolName, args } = data;
    // an input processor may have changed the prompt
    const kept = await keepsPrompt(this.#parts.agent, runId, prompt).catch(() => false);
    return {
      state: { prompt, paused: { runId, toolCallId, kept } },
      waiting: [{ id: toolCallId, kind: 'tool', tool: toolName, input: plainJson(args ?? null) }],
    };
  }
}

function checkComplete({ finishReason, text, tripwire, error }: MastraResult): void {
  if (tripwire)
    throw incomplete(`was stopped by a processor: ${String(membersOf(tripwire)['reason'])}`, text);
  if (error) throw incomplete(`has failed: ${messageOf(error)}`, text);
  if (finishReason === 'tool-calls')
    throw incomplete(
      'stopped at a tool call: it has reached its limit of steps (`maxSteps`)',
      text,
    );
  if (finishReason !== undefined) checkWords([finishReason], text);
}

const stateSchema = builtOnUse(() =>
  z.object({
    prompt: z.string(),
    paused: z
      .object({ runId: z.string(), toolCallId: z.string(), kept: z.boolean().optional() })
      .optional(),
    answer: HumanAnswerSchema.optional(),
  }),
);

type State = z.infer<typeof stateSchema>;

const pausedSchema = builtOnUse(() =>
  z.object({ toolCallId: z.string(), toolName: z.string(), args: z.unknown().optional() }),
);

/** Without it, Mastra goes on with an agent that knows nothing but its instructions. */
async function keepsPrompt(agent: object, runId: string, prompt: string): Promise<boolean> {
  const storage = await called(await called(agent, 'getMastraInstance'), 'getStorage');
  const workflows = await called(storage, 'getStore', 'workflows');
  const run = { workflowName: 'agentic-loop', runId };
  const kept = await called(workflows, 'loadWorkflowSnapshot', run);
  const text = typeof kept === 'string' ? kept : (JSON.stringify(kept) ?? '');
  return text.includes(JSON.stringify(prompt).slice(1, -1));
}

async function called(object: unknown, name: string, ...given: unknown[]): Promise<unknown> {
  const method = membersOf(object)[name];
  return typeof method === 'function' ? Reflect.apply(method, object, given) : undefined;
}
