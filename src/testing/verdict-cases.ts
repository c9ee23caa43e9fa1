import { digestOf } from '../core/json.js';
import {
  type StoredVerdict,
  type VerdictInputs,
  type VerdictStore,
  verdictKey,
} from '../ports/verdict-store.js';
import { ensure, ensureEqual, keptCases, type StoreCase } from './contract-case.js';

const cases: readonly StoreCase<VerdictStore>[] = [
  {
    name: 'a large verdict is read back equal',
    run: async (store) => {
      const large = verdictOf({ view: 'large' }, 'x'.repeat(1_000_000));
      await store.put(keyOf({ view: 'large' }), large);
      ensureEqual(await store.get(keyOf({ view: 'large' })), large, 'a large verdict');
    },
  },
  {
    name: 'concurrent puts lose nothing, and one of two under one key stays complete',
    run: async (store) => {
      const views = Array.from({ length: 50 }, (_, index) => `view ${index}`);
      await Promise.all(views.map(async (view) => store.put(keyOf({ view }), verdictOf({ view }))));
      for (const view of views)
        ensureEqual(await store.get(keyOf({ view })), verdictOf({ view }), view);
      await Promise.all(
        ['one', 'two'].map(async (text) => store.put(keyOf(), verdictOf({}, text))),
      );
      const text = (await store.get(keyOf()))?.assessments[0];
      const whole = ['one', 'two'].map((each) => digestOf(verdictOf({}, each).assessments[0]));
      ensure(
        text !== undefined && whole.includes(digestOf(text)),
        `one of two verdicts must stay, got ${JSON.stringify(text)}`,
      );
    },
  },
];

function aboutOf(more: Partial<VerdictInputs>): VerdictInputs {
  return { reviewer: 'tone', version: '1', task: 'task', view: 'view', ...more };
}

function keyOf(more: Partial<VerdictInputs> = {}): string {
  return verdictKey(aboutOf(more));
}

function verdictOf(more: Partial<VerdictInputs> = {}, explanation = 'too loud'): StoredVerdict {
  const gap = {
    id: '',
    severity: 'major',
    category: 'quality',
    description: explanation,
    suggestedFix: 'lower',
    estimatedEffort: 'small',
    autoFixable: true,
    evidence: 'LOUD',
  } as const;
  return {
    schema: 1,
    about: aboutOf(more),
    assessments: [{ verdict: 'fail', criterion: 'tone', score: 0.25, explanation, gaps: [gap] }],
    usage: { inputTokens: 10, costUsd: 0.01 },
    at: 1,
  };
}

export const verdictCases = keptCases<VerdictStore, StoredVerdict>(
  {
    noun: 'verdict',
    put: (store, verdict) => store.put(verdictKey(verdict.about), verdict),
    get: (store, { about }) => store.get(verdictKey(about)),
    whole: verdictOf({}, 'line\nbreak "quotes" \u2028 ü 😀 \u0000 \ud800 __proto__'),
    next: verdictOf({}, 'after'),
    others: Object.fromEntries(
      ['task', 'view', 'reviewer', 'version', 'history'].map((member) => [
        member,
        verdictOf({ [member]: 'another' }),
      ]),
    ),
    spoil: ({ assessments: [assessment], usage }) => {
      if (assessment !== undefined) Reflect.set(assessment, 'verdict', 'pass');
      Reflect.set(assessment && 'gaps' in assessment ? assessment.gaps : [], '0', undefined);
      Reflect.set(usage, 'costUsd', 0);
    },
  },
  cases,
);
