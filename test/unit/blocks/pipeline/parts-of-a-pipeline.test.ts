import { describe, expect, it } from 'vitest';
import { trustPresets } from '@/blocks/pipeline/trust-presets.js';
import {
  definePipeline,
  limiter,
  llmCriterion,
  type PipelineOptions,
  type Reviewer,
  reviewOutput,
} from '@/index.js';
import { silentLogger } from '@/ports/logger.js';
import { scriptedProvider } from '@/testing/index.js';
import { errorWith, expectCode } from '../../../support/matchers.js';
import { failed, passed, reviewer } from '../../engine/support.js';

type Options = PipelineOptions<string, string>;

const base: Options = { produce: async () => 'x', criteria: { a: () => true } };
const refused = (more: object, named: string): void => {
  expect(() => definePipeline<string, string>({ ...base, ...more } as Options), named).toThrow(
    expect.objectContaining(errorWith('invalid_options', named)),
  );
};

describe('the ports of a pipeline', () => {
  const ports = {
    limiter: ['enter', 'age', 'spend'],
    store: ['open', 'read', 'list'],
    learn: ['relevantTo'],
    audit: ['record'],
    logger: ['debug', 'info', 'warn', 'error'],
    clock: ['now', 'after'],
    random: ['id', 'nonce'],
    workspace: ['snapshot', 'restore'],
    verdicts: ['get', 'put'],
    decisions: ['get', 'put'],
  };

  it.each(Object.entries(ports))('%s must have its functions', (name, functions) => {
    const whole = Object.fromEntries(functions.map((called) => [called, () => undefined]));
    for (const called of functions)
      refused({ [name]: { ...whole, [called]: undefined } }, `\`${called}\``);
    for (const port of [null, 7, 'x']) refused({ [name]: port }, `\`${name}\``);
  });

  it('may be functions with members, or objects of a class', () => {
    const audit = Object.assign(() => undefined, { record: async () => ({ seq: 1, hash: '' }) });
    class Audit {
      record = audit.record;
    }
    for (const given of [audit, new Audit()])
      expect(() => definePipeline<string, string>({ ...base, audit: given })).not.toThrow();
  });
});

describe('the other options of a pipeline', () => {
  it.each([
    ['name', 7],
    ['produce', 'x'],
    ['address', 'x'],
    ['policy', {}],
    ['ranking', {}],
    ['failFast', 'yes'],
    ['reuse', 1],
    ['allowEmpty', 0],
    ['retries', -1],
    ['retries', 0.5],
    ['provider', {}],
    ['provider', { id: 'a' }],
    ['provider', { generate: async () => 'x' }],
    ['provider', null],
    ['trust', 'fast'],
    ['trust', {}],
    ['trust', null],
    ['confirmWith', scriptedProvider([])],
    ['human.policy', 'always', { human: { policy: 'always' } }],
    ['human.onReject', 'stop', { human: { policy: 'auto', onReject: 'stop' } }],
    ['human.notify', 'x', { human: { policy: 'auto', notify: 'x' } }],
    ['human.expiresAfterMs', 0, { human: { policy: 'auto', expiresAfterMs: 0 } }],
    ['polcy', 1, { human: { polcy: 'auto' } }],
  ] as const)('%s is refused as %j', (name, value, more?: object) => {
    refused(more ?? { [name]: value }, `\`${name}\``);
  });

  it('set how many runs of a batch go on at once: the slots, at most 64, one in a workspace', () => {
    const slots = (concurrency: number, more: object = {}) =>
      definePipeline<string, string>({ ...base, limiter: limiter({ concurrency }), ...more })
        .concurrency;
    expect([slots(3), slots(1000)]).toEqual([3, 64]);
    expect(slots(3, { workspace: { snapshot: async () => 'a', restore: async () => {} } })).toBe(1);
  });

  it('decide whether an empty output is judged', async () => {
    const review = (allowEmpty?: boolean) =>
      definePipeline<string, string>({ ...base, ...(allowEmpty !== undefined && { allowEmpty }) })
        .review('task', '')
        .then(({ decision }) => decision.kind);
    expect([await review(), await review(false), await review(true)]).toEqual([
      'revise',
      'revise',
      'approve',
    ]);
  });
});

describe('the reviewers of a pipeline', () => {
  const withReviewers = (...reviewers: readonly unknown[]) => ({ reviewers });
  const fine = reviewer<string>('fine', async () => [passed('fine')]);

  it.each([
    ['reviewers', null],
    ['reviewers', { ...fine, id: '' }],
    ['reviewers', { ...fine, id: 7 }],
    ['reviewers', { ...fine, review: 'x' }],
    ['tier of fine', { ...fine, tier: undefined }],
    ['tier of fine', { ...fine, tier: 'late' }],
    ['after of fine', { ...fine, after: 'a' }],
    ['after of fine', { ...fine, after: ['nobody'] }],
    ['after of fine', { ...fine, after: ['fine'] }],
    ['version of fine', { ...fine, version: undefined }],
    ['reuse of fine', { ...fine, reuse: 'always' }],
    ['scope of fine', { ...fine, scope: 'x' }],
    ['fix of fine', { ...fine, fix: 'x' }],
    ['withProvider of fine', { ...fine, withProvider: 'x' }],
  ])('need a sound %s', (named, given) => {
    if (named.startsWith('withProvider')) {
      expect(() =>
        definePipeline<string, string>({ ...base, ...withReviewers(given) } as Options),
      ).toThrow();
      return;
    }
    refused(withReviewers(given), named);
  });

  it('may wait for reviewers of the same tier only, earlier in the list', () => {
    const model = { ...fine, id: 'model', tier: 'model' as const };
    refused(withReviewers(model, { ...fine, after: ['model'] }), 'after of fine');
    refused(withReviewers({ ...fine, after: ['late'] }, { ...fine, id: 'late' }), 'after of fine');
    expect(() =>
      definePipeline<string, string>({
        ...base,
        reviewers: [fine, { ...fine, id: 'next', after: ['fine'] }],
      }),
    ).not.toThrow();
  });

  it('have different ids, and there is at least one', () => {
    const code = (code: string) => expect.objectContaining({ code });
    expect(() => definePipeline<string, string>({ reviewers: [fine, fine] })).toThrow(
      code('duplicate_id'),
    );
    expect(() => definePipeline<string, string>({ ...base, criteria: {} })).toThrow(
      code('no_reviewers'),
    );
  });

  it('are called on themselves, with every function that they have', async () => {
    class Counting implements Reviewer<string, string> {
      readonly id = 'counting';
      readonly version = '1';
      readonly tier = 'code';
      readonly calls: string[] = [];
      scope({ output }: { readonly output: string }): string {
        this.calls.push('scope');
        return output;
      }
      async review({ output }: { readonly output: string }) {
        this.calls.push('review');
        return [output === 'y' ? passed('counting') : failed('counting')];
      }
      fix(): string {
        this.calls.push('fix');
        return 'y';
      }
    }
    const counting = new Counting();
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [counting],
    }).run('task');
    expect(outcome).toMatchObject({ approved: true, output: 'y' });
    expect(counting.calls).toEqual(['scope', 'review', 'fix', 'scope', 'review']);
  });

  it('whose verdicts no later run reuses are named once, where verdicts are kept', () => {
    const told: unknown[] = [];
    const logger = {
      ...{ debug() {}, warn() {}, error() {} },
      info: (data: unknown) => told.push(data),
    };
    const verdicts = { get: async () => undefined, put: async () => {} };
    const once = { ...fine, id: 'once', reuse: 'run' as const };
    definePipeline<string, string>({ reviewers: [fine, once], logger });
    definePipeline<string, string>({ reviewers: [fine], logger, verdicts });
    expect(told).toEqual([]);
    definePipeline<string, string>({ reviewers: [fine, once], logger, verdicts });
    expect(told).toEqual([{ reviewers: ['once'] }]);
  });
});

it('the presets of trust have their names and passes, and let each judge that can ask a model take turns', () => {
  expect(Object.entries(trustPresets).map(([name, preset]) => [name, preset.name])).toEqual([
    ['fast', 'fast'],
    ['guarded', 'guarded'],
    ['autonomous', 'autonomous'],
  ]);
  const [one, two] = [scriptedProvider([], { id: 'one' }), scriptedProvider([], { id: 'two' })];
  const given = [
    reviewer<string>('code', async () => [passed('code')]),
    llmCriterion<string, string>({ id: 'clear', question: '?', provider: one }),
    reviewer<string>('plain', async () => [passed('plain')], { tier: 'model' }),
  ];
  const made = (name: keyof typeof trustPresets) =>
    trustPresets[name]
      .reviewers(given, { confirmWith: [one, two], logger: silentLogger })
      .map(({ id, tier, checksFindings = false }) => `${tier} ${id}${checksFindings ? '!' : ''}`);
  for (const name of ['fast', 'guarded', 'autonomous'] as const)
    expect(made(name)).toEqual(['code code', 'model clear!', 'model plain']);
  expect(Object.values(trustPresets).map(({ passes }) => passes)).toEqual([
    { first: 2, edited: 3 },
    { first: 3, edited: 4 },
    { first: 3, edited: 4 },
  ]);
});

describe('the limits of a pipeline', () => {
  it.each([
    [{ budget: { reviews: 0 } }, '`budget.reviews`'],
    [{ budget: { tokens: 0 } }, '`budget.tokens`'],
    [{ budget: { costUsd: -1 } }, '`budget.costUsd`'],
    [{ budget: { timeoutMs: 0 } }, '`budget.timeoutMs`'],
    [{ budget: { time: 1 } }, 'budget has no option `time`'],
    [{ timeouts: { checkMs: 0 } }, '`timeouts.checkMs`'],
    [{ timeouts: { workspaceMs: 0 } }, '`timeouts.workspaceMs`'],
    [{ timeouts: { checksMs: 1 } }, 'timeouts has no option `checksMs`'],
    [{ policys: 1 }, 'definePipeline has no option `policys`'],
    [{ criteria: [] }, 'criteria'],
  ])('%j is refused', (more, named) => refused(more, named));

  const named = [
    [{}, 'pipeline'],
    [{ name: 'article' }, 'article'],
  ] as const;
  it.each(named)('name their pipeline in what they report: %j [R3-096]', async (more, name) => {
    const pipeline = definePipeline<string, string>({ ...more, criteria: { a: () => true } });
    await expect(pipeline.run('task')).rejects.toMatchObject({
      ...{ code: 'no_produce', what: `${name} has no \`produce\`` },
    });
    expect(() => definePipeline({ ...more, produce: async () => 'tea' })).toThrow(
      `${name} has no criteria and no reviewers`,
    );
  });
});

it('reviewOutput reviews once with what it is given, and stops with its signal', async () => {
  const review = await reviewOutput({
    task: 'task',
    output: 'text',
    criteria: { long: (out: string) => out.length > 10 || 'too short' },
  });
  expect(review).toMatchObject({ gaps: [{ description: 'long: too short' }] });
  await expectCode(
    reviewOutput({
      task: 'task',
      output: 'text',
      criteria: { long: () => true },
      signal: AbortSignal.abort(),
    }),
    'cancelled',
  );
  await expect(async () => reviewOutput(null as never)).rejects.toMatchObject(
    errorWith('invalid_options', 'reviewOutput'),
  );
});
