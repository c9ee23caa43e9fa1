import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { fileStore } from '@/adapters/stores/file/index.js';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import {
  definePipeline,
  limiter,
  memoryStore,
  type Outcome,
  type Reviewer,
  ReviewLoopError,
  type Store,
} from '@/index.js';
import { fileFolder } from '../support/temp-folder.js';

const folder = fileFolder('reviewloop-usage');

/** What happens to one call that is made: its cost, and whether it fails or the process ends after it. */
interface Call {
  readonly tokens: number;
  readonly fails: boolean;
}

/** The calls that are really made, in order, over all processes. */
class Meter {
  made = 0;
  real = 0;
  largest = 0;
  readonly #plan: readonly Call[];

  constructor(plan: readonly Call[]) {
    this.#plan = plan;
  }

  async call(report: (usage: { totalTokens: number }) => void): Promise<string> {
    const { tokens, fails } = this.#plan[this.made % this.#plan.length] ?? {
      tokens: 1,
      fails: false,
    };
    this.made += 1;
    this.real += tokens;
    this.largest = Math.max(this.largest, tokens);
    await Promise.resolve();
    report({ totalTokens: tokens });
    if (fails && this.made < 60)
      throw new ReviewLoopError('timeout', 'the model is busy', { retryable: true });
    return `v${this.made}`;
  }
}

const text = z.string();
const stepOf =
  (meter: Meter, context: Parameters<Reviewer<string, string>['review']>[1]) =>
  async (name: string) =>
    context.step(name, { input: name, schema: text }, () => meter.call(context.reportUsage));

const judge = (meter: Meter, id: string, steps: number): Reviewer<string, string> => ({
  id,
  version: '1',
  tier: 'model',
  review: async ({ iteration }, context) => {
    const step = stepOf(meter, context);
    for (let at = 0; at < steps; at += 1) await step(`call-${at}`);
    return iteration > 1
      ? [{ verdict: 'pass', criterion: id, score: 1, explanation: '', gaps: [] }]
      : [{ verdict: 'fail', criterion: id, score: 0, explanation: 'no', gaps: [] }];
  },
});

const person: Reviewer<string, string> = {
  id: 'person',
  version: '1',
  tier: 'model',
  review: async (_, context) => {
    await context.ask('look', { question: 'fine?', allowed: ['approve'], gaps: [] });
    return [{ verdict: 'pass', criterion: 'person', score: 1, explanation: '', gaps: [] }];
  },
};

/** A process that dies after some records: nothing is written any more, and its calls are over. */
function dying(store: Store, after: number): Store {
  let left = after;
  return {
    ...store,
    open: async (runId, keep) => {
      const journal = await store.open(runId, keep);
      return {
        ...journal,
        onLost: (callback) => journal.onLost?.(callback),
        append: async (record) => {
          left -= 1;
          if (left < 0) throw new Error('killed');
          await journal.append(record);
        },
        close: () => journal.close(),
      };
    },
  };
}

interface Plan {
  readonly calls: readonly Call[];
  readonly steps: number;
  readonly judges: number;
  readonly retries: number;
  readonly asks: boolean;
  readonly deaths: readonly number[];
  readonly budget?: number | undefined;
  /** Whether `produce` also makes a call outside of a step. */
  readonly bare: boolean;
}

const plans: fc.Arbitrary<Plan> = fc.record({
  calls: fc.array(
    fc.record({
      tokens: fc.integer({ min: 1, max: 50 }),
      fails: fc.boolean().map((no) => no),
    }),
    { minLength: 3, maxLength: 12 },
  ),
  steps: fc.integer({ min: 1, max: 3 }),
  judges: fc.integer({ min: 1, max: 3 }),
  retries: fc.integer({ min: 0, max: 3 }),
  asks: fc.boolean(),
  bare: fc.boolean(),
  deaths: fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 4 }),
});

/** Continues a run until it ends by itself. Returns its last outcome, and what each process could not record. */
async function continued(plan: Plan, store: Store, meter: Meter): Promise<Outcome<string>> {
  const { steps, judges, retries, asks, deaths, budget, bare } = plan;
  const pipeline = (over: Store) =>
    definePipeline<string, string>({
      produce: async (_, context) => {
        await context.step('plan', { input: 0, schema: text }, () =>
          meter.call(context.reportUsage),
        );
        return bare ? meter.call(context.reportUsage) : 'v';
      },
      address: async (given, _gaps, context) => `${given}+${await meter.call(context.reportUsage)}`,
      reviewers: [
        ...Array.from({ length: judges }, (_, at) => judge(meter, `j${at}`, steps)),
        ...(asks ? [person] : []),
      ],
      retries,
      store: over,
      limiter: limiter({ concurrency: 1 }),
      ...(budget !== undefined && { budget: { tokens: budget } }),
    });
  const runId = 'run';
  for (const after of deaths) await pipeline(dying(store, after)).run('task', { runId });
  let outcome = await pipeline(store).run('task', { runId });
  for (let more = 0; more < 12; more += 1) {
    if (outcome.status === 'suspended')
      outcome = await pipeline(store).answer(outcome.requests[0], { kind: 'approve', by: 'ann' });
    else if (outcome.status === 'failed' || outcome.status === 'inconclusive')
      outcome = await pipeline(store).run('task', { runId });
    else return outcome;
  }
  return outcome;
}

const reported = ({ usage }: Outcome<string>): number =>
  [usage.produce, usage.review, usage.address].reduce(
    (sum, { totalTokens = 0 }) => sum + totalTokens,
    0,
  );

const stores: Readonly<Record<string, (at: number) => Store>> = {
  memory: () => memoryStore(),
  file: (at) => fileStore(join(folder, `file-${at}`)),
  sqlite: (at) => sqliteStore(join(folder, `db-${at}.sqlite`)),
};
let made = 0;

describe.each(Object.entries(stores))('usage over the %s store', (kind, storeOf) => {
  const numRuns = kind === 'memory' ? 60 : 5;

  it('is the sum of all calls that were made, over failures, retries and continuations [R2-058, R2-059]', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const meter = new Meter(plan.calls);
        made += 1;
        const outcome = await continued({ ...plan, deaths: [] }, storeOf(made), meter);
        expect(reported(outcome), `${outcome.status}: ${outcome.reason}`).toBe(meter.real);
      }),
      { numRuns },
    );
  });

  it('loses no more than the calls under way when a process is killed [R2-058]', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const meter = new Meter(plan.calls);
        made += 1;
        const outcome = await continued(plan, storeOf(made), meter);
        const lost = meter.real - reported(outcome);
        expect(lost, 'reported more than was used').toBeGreaterThanOrEqual(0);
        const underWay = plan.deaths.length * (plan.judges + 1) * meter.largest;
        expect(lost, 'lost more than was under way').toBeLessThanOrEqual(underWay);
      }),
      { numRuns },
    );
  });

  it('passes a budget by one call at most, over continuations [R2-058]', async () => {
    await fc.assert(
      fc.asyncProperty(plans, fc.integer({ min: 1, max: 300 }), async (plan, budget) => {
        const meter = new Meter(plan.calls);
        made += 1;
        const outcome = await continued(
          { ...plan, deaths: [], bare: false, budget },
          storeOf(made),
          meter,
        );
        expect(meter.real, outcome.reason).toBeLessThanOrEqual(budget + meter.largest);
      }),
      { numRuns },
    );
  });
});
