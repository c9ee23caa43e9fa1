import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type AskRequest, definePipeline, memoryStore, type ProduceContext } from '@/index.js';

/** A call of a tool that needs an approval. */
interface Call {
  readonly price: number;
}

/** What a law sees of an agent that asks for an approval of a call. */
interface SeenAgent {
  /** The prices that it published. */
  readonly published: readonly number[];
  readonly tokens: number | undefined;
  /** The outputs that could count as versions while it waited. */
  readonly drafts: readonly unknown[];
  /** How often its turn was made. */
  readonly turns: number;
}

/**
 * Runs an agent: a paid turn of 10 tokens, a report of 5 tokens outside of it, a question about the
 * call, and the tool. The person approves the first question only.
 *
 * @param calls - The call that each run of the work makes.
 */
type AgentSystem = (calls: readonly Call[]) => Promise<SeenAgent>;

const ask = (call: Call): AskRequest => ({
  question: 'publish?',
  allowed: ['approve'],
  subject: call,
});

const engine: AgentSystem = (calls) => runOf(calls, (context) => context.step);

async function runOf(
  calls: readonly Call[],
  stepOf: (context: ProduceContext) => ProduceContext['step'],
): Promise<SeenAgent> {
  let turns = 0;
  const published: number[] = [];
  let runs = 0;
  const pipeline = definePipeline<string, string>({
    produce: async (_task, context) => {
      const call = calls[Math.min(runs, calls.length - 1)] ?? { price: 0 };
      runs += 1;
      await stepOf(context)('turn', { input: 1, schema: z.string() }, async () => {
        turns += 1;
        context.reportUsage({ totalTokens: 10 });
        return 'text';
      });
      if (runs === 1) context.reportUsage({ totalTokens: 5 });
      const answer = context.ask('publish', ask(call));
      const draft = new Promise<string>((resolve) => setImmediate(resolve, 'draft'));
      const first = await Promise.race([answer, draft]);
      if (typeof first === 'string') return first;
      published.push(call.price);
      return 'finished';
    },
    criteria: { any: () => true },
    store: memoryStore(),
  });
  const waiting = await pipeline.run('tea', { runId: 'r' });
  const drafts = [waiting.output];
  if (waiting.status !== 'suspended') return { published, tokens: undefined, drafts, turns };
  const outcome = await pipeline.answer(waiting.requests[0], { kind: 'approve', by: 'Ann' });
  if (outcome.status === 'suspended') drafts.push(outcome.output);
  return { published, tokens: outcome.usage.produce.totalTokens, drafts, turns };
}

const makesTurnsAgain: AgentSystem = (calls) =>
  runOf(
    calls,
    () =>
      async (_name, { schema }, work) =>
        schema.parse(await work(Object(null))),
  );

/** Approves by the name of the question, whatever it is about. */
const approvesByName: AgentSystem = async (calls) => ({
  published: calls.slice(-1).map(({ price }) => price),
  tokens: 15,
  drafts: [undefined],
  turns: 1,
});

const countsTwice: AgentSystem = async (calls) => ({ ...(await engine(calls)), tokens: 25 });

/** Forgets what the interrupted attempt reported. */
const forgets: AgentSystem = async (calls) => ({ ...(await engine(calls)), tokens: 10 });

const returnsDraft: AgentSystem = async (calls) => ({
  ...(await engine(calls)),
  drafts: ['draft'],
});

const approvalCoversItsCall = async (system: AgentSystem): Promise<boolean> => {
  const same = await system([{ price: 12 }]);
  const other = await system([{ price: 12 }, { price: 1200 }]);
  return same.published.join() === '12' && other.published.length === 0;
};

const usageCountsOnce = async (system: AgentSystem): Promise<boolean> =>
  (await system([{ price: 12 }])).tokens === 15;

const draftIsNoVersion = async (system: AgentSystem): Promise<boolean> =>
  (await system([{ price: 12 }, { price: 1200 }])).drafts.every((draft) => draft === undefined);

const turnsArePaidOnce = async (system: AgentSystem): Promise<boolean> =>
  (await system([{ price: 12 }])).turns === 1;

describe('a turn before a question is made once', () => {
  it('in the engine', async () => expect(await turnsArePaidOnce(engine)).toBe(true));
  it('but not in one that does not record it', async () =>
    expect(await turnsArePaidOnce(makesTurnsAgain)).toBe(false));
});

/** Returns what reaches a framework whose pause `produce` throws. */
type PausedSystem = (pause: object) => Promise<unknown>;

const paused: PausedSystem = async (pause) =>
  definePipeline<string, string>({
    produce: () => Promise.reject(pause),
    criteria: { any: () => true },
  })
    .run('tea')
    .catch((thrown: unknown) => thrown);

/** Takes whatever the work throws for a failure, as a loop with one `catch` does. */
const takesForFailure: PausedSystem = async (pause) => {
  try {
    return await Promise.reject(pause);
  } catch {
    return { status: 'failed' };
  }
};

const pauseIsPassedOn = async (system: PausedSystem): Promise<boolean> => {
  const pause = { is_bubble_up: true };
  return (await system(pause)) === pause;
};

describe('the pause of a framework reaches the framework', () => {
  it('from the engine [R2-071]', async () => expect(await pauseIsPassedOn(paused)).toBe(true));
  it('not from a loop that takes it for a failure', async () =>
    expect(await pauseIsPassedOn(takesForFailure)).toBe(false));
});

describe('an approval in the work covers only its own call', () => {
  it('of the engine', async () => expect(await approvalCoversItsCall(engine)).toBe(true));
  it('not of one that approves by name', async () =>
    expect(await approvalCoversItsCall(approvesByName)).toBe(false));
});

describe('what interrupted work used counts once', () => {
  it('in the engine', async () => expect(await usageCountsOnce(engine)).toBe(true));
  it.each([countsTwice, forgets])('not in %o', async (system) =>
    expect(await usageCountsOnce(system)).toBe(false),
  );
});

describe('a draft beside an open question is no version', () => {
  it('in the engine', async () => expect(await draftIsNoVersion(engine)).toBe(true));
  it('but in one that returns it', async () =>
    expect(await draftIsNoVersion(returnsDraft)).toBe(false));
});
