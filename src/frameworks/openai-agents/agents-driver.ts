import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { ReviewLoopError } from '../../core/errors.js';
import { HumanAnswerSchema } from '../../core/human.js';
import { frameworkErrors } from '../errors.js';
import type { AgentDriver, AgentTurn, TurnCall } from '../shared/agent-maker.js';
import { plainJson } from '../shared/plain-json.js';
import { type Answered, approvalOf, type Waiting } from '../shared/waiting.js';
import type { AgentsParts, AgentsRunState, AgentsStreamEvent, ApprovalItem } from './agents-sdk.js';
import { countsOf, usageSince } from './usage-since.js';

/** Lets an agent of the OpenAI Agents SDK begin, wait, and go on. */
export class AgentsDriver implements AgentDriver {
  readonly #parts: AgentsParts;

  constructor(parts: AgentsParts) {
    this.#parts = parts;
  }

  begin(prompt: string): State {
    return { prompt };
  }

  resume(state: unknown, answered: readonly Answered[]): State {
    return { ...stateSchema.parse(state), answered };
  }

  async turn(state: unknown, { signal, reportUsage }: TurnCall): Promise<AgentTurn> {
    const { runner, agent, output } = this.#parts;
    const from = stateSchema.parse(state);
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
    if (finalOutput === undefined)
      throw new ReviewLoopError(frameworkErrors.agent_incomplete, 'the agent ended without output');
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

  /** Restores the run that waited, and tells it what was decided. */
  async #restored({ run, answered = [] }: State): Promise<AgentsRunState | undefined> {
    if (run === undefined) return undefined;
    const { fromString, agent } = this.#parts;
    const state = await fromString(agent as never, run);
    for (const item of state.getInterruptions()) {
      const found = answered.find(({ id }) => id === callIdOf(item));
      if (found !== undefined) decide(state, item, found);
    }
    return state;
  }
}

/** A streamed run of the SDK. */
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
