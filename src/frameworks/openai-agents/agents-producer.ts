import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { ReviewLoopError } from '../../core/errors.js';
import { HumanAnswerSchema } from '../../core/human.js';
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
import { approvalOf, type Waiting } from '../shared/waiting.js';
import { type AgentsUsage, countsOf, usageSince } from './usage-since.js';

/** A tool call of the OpenAI Agents SDK that needs approval. */
export interface ApprovalItem {
  readonly rawItem: object;
  readonly name?: string | undefined;
  readonly arguments?: string | undefined;
}

/** The state of a run of the OpenAI Agents SDK, as far as it is used. */
export interface AgentsRunState {
  readonly usage: AgentsUsage;
  toString(): string;
  getInterruptions(): readonly ApprovalItem[];
  approve(item: never): void;
  reject(item: never, options?: { message?: string }): void;
}

/** A `Runner` of the OpenAI Agents SDK. */
export interface AgentsRunner {
  run(
    agent: never,
    input: never,
    options?: { signal?: AbortSignal },
  ): Promise<{ readonly finalOutput?: unknown; readonly state: AgentsRunState }>;
}

/** Options of {@link agentsProducer}. */
export interface AgentsProducerOptions<Task, Output> extends AgentMakerOptions<Task> {
  /** Runs the agent, such as `new Runner()`. */
  readonly runner: AgentsRunner;
  /** The agent that begins. */
  readonly agent: object;
  /** `RunState.fromString`, which restores a run that waited. */
  readonly fromString: (agent: never, state: string) => Promise<AgentsRunState>;
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
  const names = ['runner', 'agent', 'fromString', 'prompt', 'approve', 'output'];
  checkKeys('agentsProducer', options, names);
  const { runner, agent, fromString, output, ...rest } = options;
  checkParts({ runner, agent, fromString });
  return agentMaker(
    {
      begin: (prompt) => ({ prompt }),
      resume: (state, answered) => ({ ...stateSchema.parse(state), answered }),
      turn: (state, call) => turn(stateSchema.parse(state), call),
    },
    rest,
  );

  async function turn(from: State, { signal, reportUsage }: TurnCall): Promise<AgentTurn> {
    const restored = await restore(from);
    const input = restored ?? from.prompt;
    const before = countsOf(restored?.usage);
    // the types of the SDK are its own, so its values pass through untyped
    const { finalOutput, state } = await runner.run(agent as never, input as never, { signal });
    reportUsage(usageSince(before, state.usage));
    const waiting = state.getInterruptions().map(waitingOf);
    const next = { prompt: from.prompt, run: state.toString() };
    if (waiting.length > 0) return { state: next, waiting };
    if (finalOutput === undefined)
      throw new ReviewLoopError(frameworkErrors.agent_incomplete, 'the agent ended without output');
    return { state: {}, waiting, output: plainJson(output?.(finalOutput) ?? finalOutput) };
  }

  /** Restores the run that waited, and tells it what was decided. */
  async function restore({ run, answered }: State): Promise<AgentsRunState | undefined> {
    if (run === undefined) return undefined;
    const state = await fromString(agent as never, run);
    for (const item of state.getInterruptions()) {
      const id = callIdOf(item);
      const found = answered?.find((decided) => decided.id === id);
      if (found === undefined) continue;
      const { approved, reason } = approvalOf(found.answer);
      if (approved) state.approve(item as never);
      else state.reject(item as never, reason === undefined ? {} : { message: reason });
    }
    return state;
  }
}

const stateSchema = builtOnUse(() =>
  z.object({
    prompt: z.string(),
    run: z.string().optional(),
    answered: z
      .array(z.object({ id: z.string(), answer: HumanAnswerSchema }))
      .readonly()
      .optional(),
  }),
);

type State = z.infer<typeof stateSchema>;

function waitingOf(item: ApprovalItem): Waiting {
  const { name = 'tool', arguments: given } = item;
  return { id: callIdOf(item), kind: 'tool', tool: name, input: inputOf(given) };
}

/** Returns the arguments of a call, which the SDK keeps as a JSON text. */
function inputOf(given: string | undefined): unknown {
  if (given === undefined) return null;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

/** Returns the id of a call: of a function, else of a hosted tool. */
function callIdOf({ rawItem }: ApprovalItem): string {
  const { callId, id } = rawIds.parse(rawItem);
  return callId ?? id ?? '';
}

const rawIds = builtOnUse(() =>
  z.object({ callId: z.string().optional(), id: z.string().optional() }),
);

function checkParts(parts: {
  readonly runner: unknown;
  readonly agent: unknown;
  readonly fromString: unknown;
}): void {
  const { runner, agent, fromString } = parts;
  const hasRun =
    typeof runner === 'object' &&
    runner !== null &&
    'run' in runner &&
    typeof runner.run === 'function';
  if (hasRun && typeof agent === 'object' && agent !== null && typeof fromString === 'function')
    return;
  throw new ReviewLoopError(
    'invalid_options',
    'agentsProducer needs `runner` (such as `new Runner()`), `agent`, and `fromString` ' +
      '(`RunState.fromString`)',
    { value: parts },
  );
}
