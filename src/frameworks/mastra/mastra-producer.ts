import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { ReviewLoopError } from '../../core/errors.js';
import { type HumanAnswer, HumanAnswerSchema } from '../../core/human.js';
import { checkKeys } from '../../core/options.js';
import { frameworkErrors } from '../errors.js';
import {
  type AgentMaker,
  type AgentMakerOptions,
  type AgentTurn,
  agentMaker,
  type TurnCall,
} from '../shared/agent-maker.js';
import { plainJson } from '../shared/plain-json.js';
import { type AiSdkUsage, usageOf } from '../shared/usage-of.js';
import { approvalOf } from '../shared/waiting.js';

/** What an agent of Mastra returns, as far as it is used. */
export interface MastraResult {
  readonly text: string;
  readonly totalUsage?: AiSdkUsage | undefined;
  readonly usage?: AiSdkUsage | undefined;
  readonly finishReason?: string | undefined;
  readonly runId?: string | undefined;
  readonly suspendPayload?: unknown;
}

/** An agent of Mastra. */
export interface MastraAgent<Result extends MastraResult = MastraResult> {
  generate(messages: never, options?: never): Promise<Result>;
  approveToolCallGenerate?(options: never): Promise<Result>;
  declineToolCallGenerate?(options: never): Promise<Result>;
}

/** Options of {@link mastraProducer}. */
export interface MastraProducerOptions<Task, Output, Result extends MastraResult>
  extends AgentMakerOptions<Task> {
  /** Options of `generate`, such as `requireToolApproval`, `maxSteps` or `memory`. @default {} */
  readonly generate?: object | undefined;
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
  return agentMaker(
    {
      begin: (prompt) => ({ prompt }),
      resume: (state, answered) => ({ ...stateSchema.parse(state), answer: answered[0]?.answer }),
      turn: (state, call) => turn(stateSchema.parse(state), call),
    },
    rest,
  );

  async function turn(from: State, { signal, reportUsage }: TurnCall): Promise<AgentTurn> {
    const result = await callAgent(from, { ...generate, abortSignal: signal });
    reportUsage(usageOf(result.totalUsage ?? result.usage));
    const { finishReason, runId, suspendPayload } = result;
    if (finishReason === 'suspended') {
      const { toolCallId, toolName, args } = pausedSchema.parse(suspendPayload);
      const paused = { runId: runId ?? '', toolCallId };
      const input = plainJson(args ?? null);
      return {
        state: { prompt: from.prompt, paused },
        waiting: [{ id: toolCallId, kind: 'tool', tool: toolName, input }],
      };
    }
    if (finishReason === 'tool-calls')
      throw new ReviewLoopError(
        frameworkErrors.agent_incomplete,
        'the agent stopped at a tool call: it has reached its limit of steps (`maxSteps`)',
        { value: result.text },
      );
    return { state: {}, waiting: [], output: plainJson(output(result)) };
  }

  /** Starts the agent, or lets the call go on that waited. */
  function callAgent({ prompt, paused, answer }: State, given: object): Promise<Result> {
    // the types of Mastra are its own, so its values pass through untyped
    if (paused === undefined || answer === undefined)
      return agent.generate([{ role: 'user', content: prompt }] as never, given as never);
    const { approved, reason } = approvalOf(answer);
    const { approveToolCallGenerate: approve, declineToolCallGenerate: decline } = agent;
    const call = { ...given, ...paused, ...(!approved && reason !== undefined && { reason }) };
    const go = approved ? approve : decline;
    if (go === undefined)
      throw new ReviewLoopError(
        'invalid_options',
        'this version of Mastra cannot approve tool calls; use @mastra/core 1.71 or newer',
      );
    return go.call(agent, call as never);
  }
}

const stateSchema = builtOnUse(() =>
  z.object({
    prompt: z.string(),
    paused: z.object({ runId: z.string(), toolCallId: z.string() }).optional(),
    answer: HumanAnswerSchema.optional(),
  }),
);

interface State {
  readonly prompt: string;
  readonly paused?: { readonly runId: string; readonly toolCallId: string } | undefined;
  readonly answer?: HumanAnswer | undefined;
}

const pausedSchema = builtOnUse(() =>
  z.object({ toolCallId: z.string(), toolName: z.string(), args: z.unknown().optional() }),
);
