import * as z from 'zod';
import { revisionNotes, revisionPrompt } from '../../../blocks/address/revision-prompt.js';
import { builtOnUse } from '../../../core/built-on-use.js';
import { ReviewLoopError } from '../../../core/errors.js';
import type { Gap } from '../../../core/gap.js';
import { type AskRequest, type HumanAnswer, HumanAnswerSchema } from '../../../core/human.js';
import { digestJson } from '../../../core/json.js';
import { type Peer, requireVersions } from '../../../core/load-peer.js';
import { checkKeys } from '../../../core/options.js';
import type { StepContext } from '../../../core/step.js';
import type { Usage } from '../../../core/usage.js';
import type { AddressContext, ProduceContext } from '../../../engine/definition.js';
import { frameworkErrors } from '../errors.js';

/** The functions of a pipeline that let an agent do the work. Spread them into `definePipeline`. */
export interface AgentMaker<Task, Output> {
  /** Makes the first output. */
  readonly produce: (task: Task, context: ProduceContext) => Promise<Output>;
  /** Makes an improved output. */
  readonly address: (
    output: Output,
    gaps: readonly Gap[],
    context: AddressContext<Task>,
  ) => Promise<Output>;
}

/** Options of every agent that produces. */
export interface AgentMakerOptions<Task> {
  /** Returns what the agent is asked to do. @default the task, or its JSON if it is not a text */
  readonly prompt?: ((task: Task) => string) | undefined;
  /**
   * Decides about a tool call that needs approval. `ask` asks a person, and suspends the run.
   *
   * @default every call is asked about
   */
  readonly approve?: ApproveTool | undefined;
}

export interface AgentTurn {
  readonly state: unknown;
  /** What waits for a person. With nothing, the agent is done. */
  readonly waiting: readonly Waiting[];
  readonly output?: unknown;
}

export interface TurnCall {
  readonly signal: AbortSignal;
  readonly runId: string;
  readonly iteration: number;
  readonly reportUsage: (usage: Usage) => void;
}

export interface AgentDriver {
  /** The packages of the framework. Only versions that are known are driven. */
  readonly peer: Peer;
  readonly begin: (prompt: string) => unknown;
  /** Lets the agent work until it is done, or until it waits for a person. */
  readonly turn: (state: unknown, call: TurnCall) => Promise<AgentTurn>;
  /** Returns what the next turn begins with, after everything that waited was answered. */
  readonly resume: (state: unknown, answered: readonly Answered[]) => unknown;
}

/** A run of an agent has so many turns at most; each one ends with a wait, but the last. */
const mostTurns = 50;

const makerOptions = ['prompt', 'approve'] as const;

/**
 * Each turn is a recorded step: a resumed run replays it, and pays nothing for it. A tool call that
 * needs approval becomes a question to a person.
 */
export function agentMaker<Task, Output>(
  driver: AgentDriver,
  options: AgentMakerOptions<Task>,
): AgentMaker<Task, Output> {
  checkKeys('an agent', options, makerOptions);
  const { prompt = textOf, approve = () => 'ask' as const } = options;
  const work = async (text: string, context: ProduceContext): Promise<Output> => {
    await requireVersions(driver.peer);
    // the `output` schema of the pipeline checks it
    return (await converse(driver, driver.begin(text), { context, approve })) as Output;
  };
  return {
    produce: (task, context) => {
      const { lessons, runId } = context;
      const notes = revisionNotes({ note: undefined, regressed: [], lessons, secret: runId });
      return work([prompt(task), ...notes].join('\n\n'), context);
    },
    address: (output, gaps, context) => {
      const { task, note, regressed, lessons, prompt: secret } = context;
      // an agent answers with its output: the prompt of the context asks for a list of improvements
      const asked = revisionPrompt({ output, gaps, secret });
      const notes = revisionNotes({ note, regressed, lessons, secret });
      return work([prompt(task), asked, ...notes].join('\n\n'), context);
    },
  };
}

function textOf(task: unknown): string {
  return typeof task === 'string' ? task : JSON.stringify(task);
}

interface Conversation {
  readonly context: ProduceContext;
  readonly approve: ApproveTool;
}

async function converse(
  driver: AgentDriver,
  begin: unknown,
  { context, approve }: Conversation,
): Promise<unknown> {
  const { runId, iteration, reportUsage } = context;
  let state = begin;
  for (let number = 1; number <= mostTurns; number += 1) {
    const from = state;
    const turn = openedTurn(
      await context.step(`turn:${number}`, { input: from, schema: anything }, async ({ signal }) =>
        sealedTurn(await driver.turn(from, { signal, runId, iteration, reportUsage })),
      ),
    );
    if (turn.waiting.length === 0) return turn.output;
    const answered = await Promise.all(
      turn.waiting.map((waiting, at) =>
        decideWaiting(waiting, { name: `turn:${number}/${at + 1}`, context, approve }),
      ),
    );
    state = driver.resume(turn.state, answered);
  }
  throw new ReviewLoopError(
    frameworkErrors.agent_turns,
    `the agent still waits for approval after ${mostTurns} turns`,
  );
}

/** Any value: what does not fit is refused here, where a step would run the agent again. */
const anything = builtOnUse(() => z.unknown());

const turnSchema = builtOnUse(() => {
  const id = z.string();
  return z.object({
    state: z.unknown(),
    waiting: z.array(
      z.discriminatedUnion('kind', [
        z.object({
          id,
          kind: z.literal('tool'),
          tool: z.string(),
          input: z.unknown().optional(),
        }),
        z.object({ id, kind: z.literal('question'), value: z.unknown().optional() }),
      ]),
    ),
    output: z.unknown().optional(),
    digest: z.string(),
  });
});

function sealedTurn(turn: AgentTurn): AgentTurn & { readonly digest: string } {
  return { ...turn, digest: digestJson(turn) };
}

function openedTurn(recorded: unknown): AgentTurn {
  const { digest, ...turn } = readState(turnSchema, recorded);
  if (digestJson(turn) === digest) return turn;
  throw stateLost('the recorded turn of the agent is not the one that was recorded');
}

export function stateLost(what: string, cause?: unknown): ReviewLoopError {
  return new ReviewLoopError(frameworkErrors.agent_state_lost, what, { cause });
}

export function readState<State>(schema: z.ZodType<State>, state: unknown): State {
  const { data, error } = schema.safeParse(state);
  if (data === undefined) throw stateLost('the recorded state of the agent cannot be read', error);
  return data;
}

interface ToolCall {
  readonly tool: string;
  /** The arguments of the call, as JSON data. */
  readonly input: unknown;
}

/** Decides about a tool call: a rule, or `ask` for a person. */
type ApproveTool = (call: ToolCall) => 'ask' | 'approve' | 'deny';

/** What an agent waits for: the approval of a tool call, or an answer to a question of its own. */
export type Waiting = { readonly id: string } & (
  | { readonly kind: 'tool'; readonly tool: string; readonly input?: unknown }
  | { readonly kind: 'question'; readonly value?: unknown }
);

export const AnsweredSchema = builtOnUse(() =>
  z.array(z.object({ id: z.string(), answer: HumanAnswerSchema })).readonly(),
);

export type Answered = z.infer<typeof AnsweredSchema>[number];

interface DecideOptions {
  readonly name: string;
  readonly context: Pick<StepContext, 'ask'>;
  readonly approve: ApproveTool;
}

/** An answer holds for this tool with these arguments only. */
async function decideWaiting(
  waiting: Waiting,
  { name, context, approve }: DecideOptions,
): Promise<Answered> {
  const { id } = waiting;
  if (waiting.kind === 'question')
    return { id, answer: await context.ask(name, questionOf(waiting.value)) };
  const { tool, input } = waiting;
  const rule = approve({ tool, input });
  if (rule === 'ask') return { id, answer: await context.ask(name, toolQuestion({ tool, input })) };
  return { id, answer: { kind: rule === 'approve' ? 'approve' : 'reject', by: 'approve' } };
}

function toolQuestion(call: ToolCall): AskRequest {
  return {
    question: `May the agent call the tool ${JSON.stringify(call.tool)}?`,
    allowed: ['approve', 'reject', 'revise'],
    subject: call,
  };
}

function questionOf(value: unknown): AskRequest {
  return {
    question: typeof value === 'string' && value !== '' ? value : 'The agent asks how to go on.',
    allowed: ['approve', 'reject', 'revise', 'reply'],
    subject: value ?? null,
  };
}

export function approvalOf(answer: HumanAnswer): {
  readonly approved: boolean;
  readonly reason?: string;
} {
  const reason = answer.kind === 'revise' ? answer.note : answer.reason;
  return { approved: answer.kind === 'approve', ...(reason !== undefined && { reason }) };
}
