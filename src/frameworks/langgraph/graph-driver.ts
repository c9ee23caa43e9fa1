import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { type HumanAnswer, HumanAnswerSchema } from '../../core/human.js';
import type { AgentDriver, AgentTurn, TurnCall } from '../shared/agent-maker.js';
import { plainJson } from '../shared/plain-json.js';
import { type Answered, approvalOf, type Waiting } from '../shared/waiting.js';
import { withoutGraph } from './inner-graph.js';
import { importLanggraph } from './peer.js';
import { usageCallback } from './usage-callback.js';

/** A compiled graph of LangGraph. */
export interface GraphLike {
  /** Runs the graph from an input, or resumes it. */
  invoke(input: never, config?: never): Promise<unknown>;
}

/** A graph, and how its input, output and interrupts are read. */
export interface GraphParts {
  readonly graph: GraphLike;
  readonly input: (prompt: string) => object;
  readonly output: (state: Readonly<Record<string, unknown>>) => unknown;
  readonly resume?: ((answer: HumanAnswer) => unknown) | undefined;
}

/** Lets a graph of LangGraph begin, wait, and go on. */
export class GraphDriver implements AgentDriver {
  readonly #parts: GraphParts;

  constructor(parts: GraphParts) {
    this.#parts = parts;
  }

  begin(prompt: string): State {
    return { prompt };
  }

  resume(state: unknown, answered: readonly Answered[]): State {
    return { ...stateSchema.parse(state), answered };
  }

  async turn(state: unknown, call: TurnCall): Promise<AgentTurn> {
    const {
      prompt,
      thread = `${call.runId}/${call.iteration}`,
      answered,
    } = stateSchema.parse(state);
    const { input, output } = this.#parts;
    const { Command, isInterrupted } = await importLanggraph();
    const given =
      answered === undefined ? input(prompt) : new Command({ resume: this.#replies(answered) });
    const ended = await this.#invoke(given, thread, call);
    if (isInterrupted(ended))
      return { state: { prompt, thread }, waiting: ended.__interrupt__.map(waitingOf) };
    return { state: {}, waiting: [], output: plainJson(output(recordOf(ended))) };
  }

  #invoke(given: object, thread: string, { signal, reportUsage }: TurnCall): Promise<unknown> {
    return withoutGraph(({ callbacks }) => {
      const config = {
        configurable: { thread_id: thread },
        signal,
        callbacks: [...callbacks, usageCallback(reportUsage)],
      };
      // the types of a graph are the user's, so its values pass through untyped
      return this.#parts.graph.invoke(given as never, config as never);
    });
  }

  /** Returns the reply to each interrupt, by its id. */
  #replies(answered: readonly Answered[]): Record<string, unknown> {
    const { resume = resumeValue } = this.#parts;
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
