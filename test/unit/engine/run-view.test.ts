import { describe, expect, it } from 'vitest';
import { known } from '@/engine/events.js';
import {
  keepBest,
  type LessonStore,
  type Outcome,
  type PipelineOptions,
  type Policy,
  type Ranking,
  type ReviewEvents,
  thresholds,
} from '@/index.js';
import { fakeClock } from '@/testing/index.js';
import { failed, passed, pipelineOf, reviewer, storeWith } from './support.js';

/** Writes to every member of everything that is reachable; a frozen member refuses. */
function vandalise(value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  if (value instanceof AbortSignal || value instanceof Error) return;
  seen.add(value);
  for (const key of Reflect.ownKeys(value)) {
    const member: unknown = Reflect.get(value, key);
    vandalise(member, seen);
    Reflect.set(value, key, spoilt(key, member));
    Reflect.deleteProperty(value, key);
  }
  Reflect.set(value, 'kind', 'approve');
  Reflect.set(value, 'verdict', 'pass');
  if (Array.isArray(value)) Reflect.set(value, 'length', 0);
}

function spoilt(key: string | symbol, member: unknown): unknown {
  if (key === 'verdict') return 'pass';
  if (key === 'kind' || key === 'status') return 'approved';
  if (typeof member === 'number') return 1;
  if (typeof member === 'boolean') return !member;
  return typeof member === 'string' ? `${member}!` : undefined;
}

/** Hands everything that it gets from the engine to `touch`. */
function touched(touch: (value: unknown) => void): {
  readonly options: Partial<PipelineOptions<string, string>>;
  readonly seen: readonly string[];
} {
  const seen: string[] = [];
  const got = (where: string, ...values: readonly unknown[]): void => {
    seen.push(where);
    for (const value of values) touch(value);
  };
  const policy: Policy = (evidence) => {
    const decision = thresholds({ quality: 0.6 })(evidence);
    got('policy', evidence);
    return decision;
  };
  const store = storeWith((journal) => ({
    append: async (record) => {
      await journal.append(record);
      got(`store:${record.type}`, record);
    },
    review: async (review) => got('store.review', review),
  }));
  const ranked = keepBest();
  return {
    seen,
    options: {
      policy,
      store,
      ranking: (challenger, incumbent) => {
        const better = ranked(challenger, incumbent);
        got('ranking', challenger, incumbent);
        return better;
      },
      reviewers: [
        reviewer<string>('looks-back', async (subject, context) => {
          got('subject', subject.output, context.previous, context.best);
          return [passed('looks-back')];
        }),
        reviewer<string>('a', async () => [failed('a', 'wrong', { location: { file: 'f' } })]),
        reviewer<string>('broken', async ({ iteration }) => {
          if (iteration === 2) throw new Error('down');
          return [passed('broken')];
        }),
      ],
      address: async (output, gaps, context) => {
        got('address', gaps, context.regressed);
        return `${output}+`;
      },
      learn: {
        relevantTo: async () => '',
        capture: async (captured) => got('lessons', captured.outcome),
      },
    },
  };
}

async function outcomeWith(touch: (value: unknown) => void) {
  const { options, seen } = touched(touch);
  const pipeline = pipelineOf({
    clock: fakeClock(),
    random: { id: () => 'run', nonce: () => '0'.repeat(32) },
    retries: 0,
    ...options,
  });
  for (const name of Object.keys(known) as (keyof ReviewEvents)[])
    pipeline.on(name, (payload: unknown) => {
      touch(payload);
    });
  const outcome = await pipeline.run('task', { runId: 'run' });
  return { outcome, seen };
}

const shown = ({ status, code, reason, reviews, output }: Outcome<string>): string =>
  JSON.stringify({ status, code, reason, reviews, output });

describe('what the engine hands out', () => {
  it('cannot be changed, so nobody talks a run out of its result [R2-046]', async () => {
    const { outcome: honest, seen } = await outcomeWith(() => {});
    const { outcome: attacked } = await outcomeWith(vandalise);
    expect(new Set(seen)).toEqual(
      new Set([
        'policy',
        'subject',
        'ranking',
        'address',
        'lessons',
        'store:run',
        'store:step',
        'store:end',
        'store.review',
      ]),
    );
    expect(shown(attacked)).toBe(shown(honest));
    expect(attacked.status).toBe('inconclusive');
  });

  it('is frozen in every member: reviews, assessments, gaps, scores and decisions [R2-046]', async () => {
    const { outcome } = await outcomeWith(() => {});
    const open: string[] = [];
    const look = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null || value instanceof Error) return;
      if (!Object.isFrozen(value)) open.push(path);
      for (const [key, member] of Object.entries(value)) look(member, `${path}.${key}`);
    };
    look(outcome, 'outcome');
    expect(open).toEqual([]);
  });
});

describe('what others see before a run ends', () => {
  it('is frozen for a ranking of the user', async () => {
    const frozen: boolean[] = [];
    const ranking: Ranking = (one, other) => {
      frozen.push(Object.isFrozen(one), Object.isFrozen(other.gaps));
      return true;
    };
    await pipelineOf({
      address: async (output) => `${output}!`,
      criteria: { a: (output) => output.endsWith('!') || 'no' },
      ranking,
    }).run('task');
    expect(frozen).toEqual([true, true]);
  });

  it('is frozen for a lesson store, as is the outcome', async () => {
    const frozen: boolean[] = [];
    const learn: LessonStore = {
      relevantTo: async () => '',
      capture: async ({ outcome }) => {
        frozen.push(Object.isFrozen(outcome), Object.isFrozen(outcome.reviews[0]?.assessments));
      },
    };
    await pipelineOf({ criteria: { a: () => true }, learn }).run('task');
    expect(frozen).toEqual([true, true]);
  });
});
