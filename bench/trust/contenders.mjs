// The ways to work that are compared, by name. Each is given the library and a world, and gives what it returns, whether it approved,
// and whether what it returns was reviewed.
import {
  budgets,
  checkedAndConfirmed,
  checklist,
  throughPipeline,
  turns,
  turnsWithinRisk,
} from './engine-loops.mjs';
import { asSpecified, bestOf, plainLoop, selfRefine } from './plain-loops.mjs';
import { regimes } from './regimes.mjs';
import { blockingOf } from './world.mjs';

/** `session` says that the judge sits in the session that wrote the text; `kind` what the tables do with it. */
const published = {
  'one-shot': {
    run: (_, world) => ({
      output: world.draft(),
      approved: false,
      reviewed: false,
      unjudged: true,
    }),
  },
  'self-review loop as specified': { session: true, run: (_, world) => asSpecified(world) },
  'self-review loop as specified, fresh judge': { run: (_, world) => asSpecified(world) },
  'Self-Refine': { session: true, run: (_, world) => selfRefine(world) },
  'best of 4': { run: (_, world) => bestOf(world, { samples: 4 }) },
  'best of 8': { run: (_, world) => bestOf(world, { samples: 8 }) },
  'best of 8, veto b c': {
    run: (_, world) => bestOf(world, { samples: 8, families: ['a', 'b', 'c'], tries: 12 }),
  },
};

/** Plain loops: who judges, how many reviews, and what is not asked again. */
export const seats = { 'a alone': ['a'], 'a, veto b': ['a', 'b'], 'a, veto b c': ['a', 'b', 'c'] };
export const savings = {
  '': {},
  ', minors once': { minors: false },
  ', verdicts kept': { minors: false, keeps: true },
};
const plain = Object.fromEntries(
  Object.entries(seats).flatMap(([judges, families]) =>
    [2, 3, 4, 5, 6, 7, 8].flatMap((rounds) =>
      Object.entries(savings)
        .filter(([, { keeps, minors }]) => families.length > 1 || keeps || minors !== false)
        .map(([saving, options]) => [
          `${judges}, ${rounds} rounds${saving}`,
          { run: (_, world) => plainLoop(world, { families, rounds, ...options }) },
        ]),
    ),
  ),
);

export const passes = {
  '1/2': [1, 2],
  '2/4': [2, 4],
  '3/4': [3, 4],
  '3/5': [3, 5],
  '4/6': [4, 6],
  '6/9': [6, 9],
  '9/12': [9, 12],
};
const inTurn = Object.fromEntries(
  Object.entries(passes).flatMap(([name, [first, edited]]) =>
    [true, false].map((guard) => [
      `in turn ${name}${guard ? '' : ', no guard'}`,
      { needs: 'inTurn', run: (lib, world) => turns(lib, world, { first, edited, guard }) },
    ]),
  ),
);
const withinRisk = {
  'in turn 4/6, within a risk': {
    needs: 'inTurn',
    run: (lib, world) => {
      const regime = Object.keys(budgets).find((name) => regimes[name] === world.regime);
      return turnsWithinRisk(lib, world, { first: 4, edited: 6, budget: budgets[regime] ?? 0.1 });
    },
  },
};

const checked = (options) => ({
  run: (lib, world) =>
    checkedAndConfirmed(lib, world, { opinions: 3, others: ['b', 'c'], reviews: 4, ...options }),
});
const former = {
  'checked, confirmed once': checked({ others: ['b'], confirmers: 1 }),
  'checked, asks a person': checked({ confirmers: 1, guards: true, asks: true }),
  'checked, confirmed twice': checked({ confirmers: 2, guards: true, reviews: 6 }),
};

const presetOf = (name) => ({
  needs: 'trustPresets',
  run: (lib, world) =>
    throughPipeline(lib, world, {
      trust: lib.trustPresets[name],
      confirmWith: ['b', 'c'].map(world.judgeOf),
    }),
});
const presets = Object.fromEntries(
  ['fast', 'guarded', 'autonomous'].map((name) => [name, presetOf(name)]),
);

/** The last version whatever it is, as loops without keep-best do. */
const keepLast = () => true;
const confirmed = (lib, world, options = {}) => {
  const models = checklist(lib, world).filter(({ tier }) => tier === 'model');
  return throughPipeline(lib, world, {
    reviewers: [
      ...checklist(lib, world),
      ...lib.confirm({ reviewers: models, providers: [world.judgeOf('b')] }),
    ],
    budget: { reviews: 4 },
    ...options,
  });
};

/** One block taken away, or changed. */
const variants = {
  default: { run: (lib, world) => throughPipeline(lib, world, { budget: { reviews: 4 } }) },
  'keep last': {
    run: (lib, world) => throughPipeline(lib, world, { ranking: keepLast, budget: { reviews: 4 } }),
  },
  'keep best, protected': {
    run: (lib, world) =>
      throughPipeline(lib, world, {
        ranking: lib.keepBest({ protect: blockingOf(world.regime) }),
        policy: lib.holdProtected(lib.noProgress(), blockingOf(world.regime)),
        budget: { reviews: 4 },
      }),
  },
  confirmed: { run: (lib, world) => confirmed(lib, world) },
  'confirmed, no reuse': { run: (lib, world) => confirmed(lib, world, { reuse: false }) },
};

const kinds = {
  published,
  plain,
  'in turn': inTurn,
  'within a risk': withinRisk,
  former,
  preset: presets,
  variant: variants,
};
export const contenders = Object.fromEntries(
  Object.entries(kinds).flatMap(([kind, members]) =>
    Object.entries(members).map(([name, contender]) => [name, { ...contender, kind }]),
  ),
);

/** The names of a kind. */
export const namesOf = (kind) => Object.keys(kinds[kind]);
