// The ways to work that are compared, by name. Each is given the library and a world, and gives what it returns, whether it
// approved, and whether what it returns was reviewed.
import { checklist, throughPipeline } from './engine-loops.mjs';
import { asSpecified, bestOf, selfRefine } from './plain-loops.mjs';
import { blockingOf } from './world.mjs';

/** `session` says that the judge sits in the session that wrote the text. */
const published = {
  'self-review loop as specified': { session: true, run: (_, world) => asSpecified(world) },
  'Self-Refine': { session: true, run: (_, world) => selfRefine(world) },
  'best of 4': { run: (_, world) => bestOf(world, { samples: 4 }) },
};

const families = ['a', 'b', 'c', 'd'];

/** The preset with its first judges, such as `fast, 2 judges`. */
const presetOf = (name, judges) => ({
  run: (lib, world) =>
    throughPipeline(lib, world, {
      reviewers: checklist(lib, { byPrompts: false, ...world }),
      trust: lib[name],
      ...(judges > 1 && { confirmWith: families.slice(1, judges).map(world.judgeOf) }),
    }),
});

const nameOf = (preset, judges) => `${preset}, ${judges} judge${judges === 1 ? '' : 's'}`;
const cellsOf = (preset, counts) =>
  counts.map((judges) => ({ preset, judges, name: nameOf(preset, judges) }));

/**
 * What the page shows. With fewer than three judges the presets are alike; judges that answer yes or no
 * have no strict bar, so that `autonomous` is `guarded`.
 */
export const presetCells = [...cellsOf('fast', [1, 2, 3]), ...cellsOf('guarded', [3, 4])];
const presets = Object.fromEntries(
  [...presetCells, ...cellsOf('autonomous', [3])].map(({ preset, judges, name }) => [
    name,
    presetOf(preset, judges),
  ]),
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

export const contenders = { ...published, ...presets, ...variants };
