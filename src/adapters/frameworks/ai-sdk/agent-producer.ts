import { ReviewLoopError } from '../../../core/errors.js';
import { checkKeys } from '../../../core/options.js';
import {
  type AgentDriver,
  type AgentMaker,
  type AgentMakerOptions,
  agentMaker,
  approvalOf,
  stateLost,
  type TurnCall,
  type Waiting,
} from '../shared/agent-maker.js';
import { checkWords, incomplete, membersOf, plainJson } from '../shared/ending.js';
import { type AiSdkUsage, usageOf } from '../shared/usage-of.js';

export interface AiSdkResult {
  readonly text: string;
  readonly finishReason?: string | undefined;
  readonly content: readonly { readonly type: string }[];
  /** What the call used, with all its steps. */
  readonly totalUsage: AiSdkUsage;
  /** Every message of the call, from version 7 on. */
  readonly responseMessages?: readonly object[] | undefined;
  /** The messages: of every step in version 6, of the last one from version 7 on. */
  readonly response: { readonly messages: readonly object[] };
  readonly steps?: readonly Pick<AiSdkResult, 'content'>[] | undefined;
}

/** The messages are those of the AI SDK. */
export interface AiSdkCall {
  readonly messages: never[];
  readonly abortSignal: AbortSignal;
}

/** An agent of the AI SDK 6 or 7, such as a `ToolLoopAgent`. */
export interface AiSdkAgent<Result extends AiSdkResult = AiSdkResult> {
  /** Lets the agent work on messages. */
  generate(call: AiSdkCall): PromiseLike<Result>;
}

export interface AgentProducerOptions<Task, Output, Result extends AiSdkResult>
  extends AgentMakerOptions<Task> {
  /** Returns the output from the result of the agent; JSON data. @default its text */
  readonly output?: ((result: Result) => Output) | undefined;
}

/**
 * Lets an agent of the AI SDK do the work of a pipeline. Each call of the agent is a recorded step.
 * A tool that needs approval (`toolApproval`, or `needsApproval` in version 6) becomes a question to
 * a person, and the answer goes back to the agent.
 *
 * @param agent - An agent, or a function that calls `generateText` with what it is given.
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const article = definePipeline({
 *   ...agentProducer(agent, { prompt: (topic: string) => `Write about ${topic}` }),
 *   criteria: { 'has-title': (text) => text.startsWith('# ') || 'no title' },
 * });
 * ```
 */
export function agentProducer<
  Task = string,
  Output = string,
  Result extends AiSdkResult = AiSdkResult,
>(
  agent: AiSdkAgent<Result> | ((call: AiSdkCall) => PromiseLike<Result>),
  options: AgentProducerOptions<Task, Output, Result> = {},
): AgentMaker<Task, Output> {
  checkKeys('agentProducer', options, ['prompt', 'approve', 'output']);
  const generate = generateOf(agent);
  const { output = ({ text }: Result) => text, ...rest } = options;
  return agentMaker({ ...conversation, turn: (state, call) => turn(state, call) }, rest);

  async function turn(state: unknown, { signal, reportUsage }: TurnCall) {
    const messages = listOf(state);
    const result = await generate({ messages, abortSignal: signal });
    reportUsage(usageOf(result.totalUsage));
    const waiting = waitingOf(result.content);
    const said = plainJson(result.responseMessages ?? result.response.messages);
    const next = [...messages, ...listOf(said)];
    checkComplete(result, waiting);
    if (waiting.length === 0) return { state: next, waiting, output: plainJson(output(result)) };
    checkHistory(result, said);
    return { state: next, waiting };
  }
}

const conversation: Omit<AgentDriver, 'turn'> = {
  peer: { feature: 'reviewloop/ai-sdk', packages: ['ai'] },
  begin: (prompt) => [{ role: 'user', content: prompt }],
  resume: (state, answered) => [
    ...listOf(state),
    {
      role: 'tool',
      content: answered.map(({ id, answer }) => ({
        type: 'tool-approval-response',
        approvalId: id,
        ...approvalOf(answer),
      })),
    },
  ],
};

function generateOf<Result extends AiSdkResult>(
  agent: AiSdkAgent<Result> | ((call: AiSdkCall) => PromiseLike<Result>),
): (call: AiSdkCall) => PromiseLike<Result> {
  if (typeof agent === 'function') return agent;
  if (typeof agent?.generate !== 'function')
    throw new ReviewLoopError(
      'invalid_options',
      'agentProducer needs an agent of the AI SDK, with `generate`, or a function that calls ' +
        '`generateText`',
      { value: agent },
    );
  return (call) => agent.generate(call);
}

/** They are those of the AI SDK, which this module does not import. */
function listOf(messages: unknown): never[] {
  if (Array.isArray(messages)) return messages as never[];
  throw stateLost('the agent has no list of messages');
}

function waitingOf(content: AiSdkResult['content']): Waiting[] {
  return content.filter(isRequest).map(({ approvalId, toolCall }) => ({
    id: approvalId,
    kind: 'tool',
    tool: toolCall.toolName,
    input: plainJson(toolCall.input ?? null),
  }));
}

interface ApprovalRequest {
  readonly approvalId: string;
  readonly toolCall: { readonly toolName: string; readonly input?: unknown };
}

function isRequest(
  part: object & { readonly type: string; readonly isAutomatic?: unknown },
): part is typeof part & ApprovalRequest {
  return part.type === 'tool-approval-request' && part.isAutomatic !== true;
}

function checkComplete(
  { finishReason = 'stop', text, steps, content }: AiSdkResult,
  waiting: readonly Waiting[],
): void {
  // the content of version 7 is that of all steps
  const calls = (steps?.at(-1)?.content ?? content).some(isOwnCall);
  if (waiting.length === 0 && (calls || finishReason === 'tool-calls'))
    throw incomplete(
      'stopped at a tool call: it has reached its limit of steps (`stopWhen`), or the tool has ' +
        'no `execute`',
      text,
    );
  // the words of the AI SDK: nothing but `stop` ends a text
  if (finishReason !== 'stop') checkWords([finishReason], text);
}

function isOwnCall(part: { readonly type: string; readonly providerExecuted?: unknown }): boolean {
  return part.type === 'tool-call' && part.providerExecuted !== true;
}

/** An agent that goes on must know what it has called, or it may call it again. */
function checkHistory({ content }: AiSdkResult, said: unknown): void {
  const told = listOf(said).flatMap((message) => membersOf(message)['content'] ?? []);
  const known = new Set(told.map((part) => membersOf(part)['toolCallId']));
  const lost = content.find(
    (part) => part.type === 'tool-call' && !known.has(membersOf(part)['toolCallId']),
  );
  if (lost !== undefined)
    throw stateLost(
      `the messages of the agent lack its call ${String(membersOf(lost)['toolCallId'])}; hand ` +
        '`responseMessages` of the AI SDK on',
    );
}
