import { beforeAll, describe, expect, it } from 'vitest';
import { isReviewError } from '@/core/errors.js';
import { criterion, definePipeline, limiter, memoryStore } from '@/index.js';
import { systemClock } from '@/ports/clock.js';
import { silentLogger } from '@/ports/logger.js';
import { memoryVerdicts } from '@/ports/memory-verdicts.js';
import { systemRandom } from '@/ports/random.js';
import type { Journal } from '@/ports/store.js';
import { fakeWorkspace } from '@/testing/index.js';

const thrown: readonly (readonly [string, unknown])[] = [
  ['an Error', new Error('no')],
  ['1', 1],
  ['undefined', undefined],
  ['null', null],
];

/** How a method fails, made of what it throws. */
const ways: Readonly<Record<string, (value: unknown) => (...given: unknown[]) => unknown>> = {
  throws: (value) => () => {
    throw value;
  },
  rejects: (value) => () => Promise.reject(value),
  'calls back':
    (value) =>
    (...given) => {
      for (const one of given) if (typeof one === 'function') one(value);
    },
};

/** Every port in the form of its default in memory. `onLost` and `held` are optional in a journal. */
function ports() {
  const store = memoryStore();
  const journalOf = async (runId: string, keep: boolean): Promise<Journal> => {
    const { records, append, close } = await store.open(runId, keep);
    return { records, append, close, review: () => {}, onLost: () => {}, held: () => {} };
  };
  return {
    store: { ...store, open: journalOf },
    verdicts: memoryVerdicts(),
    learn: { relevantTo: async () => 'none', capture: async () => {} },
    workspace: {
      ...fakeWorkspace({ 'a.txt': 'a' }),
      claim: async () => ({ release: async () => {} }),
    },
    clock: { ...systemClock },
    random: { ...systemRandom },
    limiter: limiter({ concurrency: 2 }),
    logger: { ...silentLogger },
    audit: { record: async () => ({ seq: 0, hash: 'a' }) },
    human: { policy: 'require' as const, notify: async () => {} },
    on: { 'run-start': () => {}, 'review-end': () => {}, 'run-end': () => {} },
  };
}

type Ports = ReturnType<typeof ports>;

/** The methods of each port, and of what its methods return. */
const methods: readonly string[] = [
  ...Object.entries(ports()).flatMap(([port, value]) =>
    Object.entries(value)
      .filter(([, member]) => typeof member === 'function')
      .map(([name]) => `${port}.${name}`),
  ),
  ...['append', 'review', 'onLost', 'held', 'close'].map((name) => `journal.${name}`),
  'claim.release',
];

/** Methods that return at once: a promise of theirs is nobody's. */
const returns = /^(?:clock|random|limiter|logger)\.|onLost/;

function withFault(method: string, fault: (...given: unknown[]) => unknown): Ports {
  const all = ports();
  const [port = '', name = ''] = method.split('.');
  if (port === 'journal') {
    const { open } = all.store;
    const store = {
      ...all.store,
      open: async (...given: Parameters<typeof open>) =>
        Object.assign(await open(...given), { [name]: fault }),
    };
    return { ...all, store };
  }
  if (port === 'claim')
    return {
      ...all,
      workspace: {
        ...all.workspace,
        claim: async () => ({ release: async () => void (await fault()) }),
      },
    };
  return { ...all, [port]: { ...Reflect.get(all, port), [name]: fault } };
}

const turns = async (most: number): Promise<never> => {
  for (let turn = 0; turn < most; turn += 1) await new Promise((done) => setImmediate(done));
  throw new Error('it does not end');
};

/** What a call says at its end: the code of its outcome, or of the misuse that it refused. */
async function codeOf(
  call: () => Promise<{ readonly code: string }>,
  most: number,
): Promise<unknown> {
  try {
    return (await Promise.race([call(), turns(most)])).code;
  } catch (error) {
    return isReviewError(error) ? error.code : { rejectedWith: error };
  }
}

/** Runs until a question, and answers it; returns how both calls ended. */
async function endings({ on, ...given }: Ports, most = 1e6): Promise<unknown[]> {
  let version = 0;
  const pipeline = definePipeline<string, string>({
    ...given,
    produce: async () => 'one',
    address: async (text) => {
      version += 1;
      return `${text} ${version}`;
    },
    // with a version: without one the definition tells a logger so
    reviewers: [criterion('long', (text: string) => text.length > 3 || 'short', { version: '1' })],
    retries: 0,
  });
  const ran = await codeOf(() => pipeline.run('task', { runId: 'r', on }), most);
  const records = await Promise.resolve()
    .then(() => given.store.read('r'))
    .catch(() => undefined);
  const [request] = (records ?? []).flatMap((record) =>
    record.type === 'request' ? [record.request] : [],
  );
  if (request === undefined) return [ran];
  const answered = await codeOf(
    () => pipeline.answer(request, { kind: 'approve', by: 'Ann' }, { on }),
    most,
  );
  return [ran, answered];
}

// the first run loads modules, which takes real time
beforeAll(async () => {
  expect(await endings(ports())).toEqual(['waiting', 'person_approved']);
});

describe.each(Object.keys(ways))('a method of a port that %s', (way) => {
  it.each(thrown)('%s ends the run with a named code [R3-036]', async (_, value) => {
    const unnamed: unknown[] = [];
    for (const method of methods.filter((name) => way !== 'rejects' || !returns.test(name))) {
      const fault = ways[way]?.(value) ?? (() => {});
      const codes = await endings(withFault(method, fault)).catch((error: unknown) => [{ error }]);
      if (codes.some((code) => typeof code !== 'string' || code === ''))
        unnamed.push([method, codes]);
    }
    expect(unnamed).toEqual([]);
  });
});

it('a run that passes a fault on, or has no code, is seen [R3-036]', async () => {
  expect(await codeOf(() => Promise.reject(1), 10)).toEqual({ rejectedWith: 1 });
  expect(await codeOf(async () => ({ code: undefined as never }), 10)).toBe(undefined);
});
