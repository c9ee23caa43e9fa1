import { describe, expect, it } from 'vitest';
import { checkKeys } from '@/core/options.js';
import {
  confirm,
  criterion,
  definePipeline,
  doNoHarm,
  gap,
  keepBest,
  limiter,
  llmCriteria,
  llmCriterion,
  noProgress,
  pairwise,
  panel,
  thresholds,
  verified,
} from '@/index.js';
import { errorWith } from '../../../support/matchers.js';

/** What is no plain object with visible members, made of one. */
const disguises: Readonly<Record<string, (options: object) => unknown>> = {
  'a map': (options) => new Map(Object.entries(options)),
  'a set': (options) => new Set(Object.values(options)),
  'a weak map': () => new WeakMap(),
  'a promise': (options) => Promise.resolve(options),
  'a date': () => new Date(0),
  'a class instance': (options) => Object.assign(new (class Options {})(), options),
  'inherited members': (options) => Object.create(options),
  'a getter': (options) =>
    Object.defineProperty({}, Object.keys(options)[0] ?? 'x', { enumerable: true, get: () => 1 }),
  'a symbol': (options) => ({ ...options, [Symbol('policy')]: 1 }),
  'a list': (options) => Object.values(options),
  'a text': () => 'x',
};

const judge = criterion('j', () => true);
const good = { produce: async () => 'x', criteria: { a: () => true } };
const within = (name: string) => (value: unknown) => definePipeline({ ...good, [name]: value });

/** Every place that takes options by name, with an option that matters. */
const places: Readonly<Record<string, readonly [object, (value: never) => unknown]>> = {
  definePipeline: [good, (value) => definePipeline(value)],
  human: [{ policy: 'require' }, within('human')],
  budget: [{ reviews: 1 }, within('budget')],
  timeouts: [{ checkMs: 1 }, within('timeouts')],
  weights: [{ quality: 1 }, within('weights')],
  criteria: [{ b: () => 'no' }, within('criteria')],
  'an entry of criteria': [
    { check: () => true, severity: 'critical' },
    (value) => definePipeline({ ...good, criteria: { a: value } }),
  ],
  criterion: [{ severity: 'critical' }, (value) => criterion('a', () => true, value)],
  gap: [{ severity: 'critical' }, (value) => gap('x', value)],
  keepBest: [{ protect: ['a'] }, (value) => keepBest(value)],
  limiter: [{ concurrency: 1 }, (value) => limiter(value)],
  thresholds: [{ quality: 1 }, (value) => thresholds(value)],
  noProgress: [{ unfixed: 1 }, (value) => noProgress(undefined, value)],
  doNoHarm: [{ attempts: 1 }, (value) => doNoHarm(thresholds(), value)],
  llmCriterion: [{ id: 'a', question: '?' }, (value) => llmCriterion(value)],
  llmCriteria: [{ mode: 'single' }, (value) => llmCriteria([{ id: 'a', question: '?' }], value)],
  panel: [{ id: 'p', judges: [judge, judge] }, (value) => panel(value)],
  pairwise: [{ id: 'p', question: '?' }, (value) => pairwise(value)],
  confirm: [{ providers: [] }, (value) => confirm(value)],
  verified: [{ opinions: 2 }, (value) => verified(judge, value)],
};

const codeOf = (work: () => unknown): unknown => {
  try {
    work();
    return 'taken';
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

describe.each(Object.entries(places))('the options of %s', (_, [options, take]) => {
  it.each(Object.entries(disguises))('are refused as %s [R2-044, R2-131]', (_name, disguise) => {
    expect(codeOf(() => take(disguise(options) as never))).toBe('invalid_options');
  });
});

it.each([
  ['with a hole', Object.assign([], { 1: judge })],
  ['that are a set', new Set([judge])],
  ['that are a map', new Map([['j', judge]])],
])('lists of options are refused %s [R2-044]', (_, reviewers) => {
  expect(codeOf(() => definePipeline({ ...good, reviewers: reviewers as never }))).toBe(
    'invalid_options',
  );
});

const misspelt: readonly [string, string, () => unknown][] = [
  ['severity', 'blocker', () => criterion('a', () => 'no', { severity: 'blocker' as never })],
  ['category', 'bad', () => criterion('a', () => 'no', { category: 'bad' as never })],
  ['tier', 'late', () => criterion('a', () => 'no', { tier: 'late' as never })],
  [
    'severity',
    'Major',
    () =>
      definePipeline({
        ...good,
        criteria: { a: { check: () => 'no', severity: 'Major' as never } },
      }),
  ],
  [
    'human.policy',
    'always',
    () => definePipeline({ ...good, human: { policy: 'always' as never } }),
  ],
  [
    'human.onReject',
    'retry',
    () => definePipeline({ ...good, human: { policy: 'auto', onReject: 'retry' as never } }),
  ],
  [
    'tier',
    'Code',
    () => definePipeline({ ...good, reviewers: [{ ...judge, id: 'k', tier: 'Code' as never }] }),
  ],
  [
    'reuse',
    'never',
    () => definePipeline({ ...good, reviewers: [{ ...judge, id: 'k', reuse: 'never' as never }] }),
  ],
];

it.each(misspelt)(
  'a misspelt value of `%s` is refused when the pipeline is built: %s [R2-130]',
  (name, value, build) => {
    expect(build).toThrow(
      expect.objectContaining(errorWith('invalid_options', new RegExp(`${name}.*${value}`))),
    );
  },
);

it('checkKeys takes a plain object, of this realm or without a prototype', () => {
  checkKeys('x', { a: 1 }, ['a']);
  checkKeys('x', Object.assign(Object.create(null), { a: 1 }), ['a']);
});
