/**
 * The rooms that `npm run mutate` measures, the score that each must reach, and beginnings of the paths of the tests
 * that judge it. All mutants meet the tests that are `near`; those that they do not find meet `all` tests. More tests
 * could only find more, and take hours.
 */
export const rooms = [
  room('engine/policies', 90, { all: ['test/laws/', 'test/property/policies'] }),
  room('blocks/models/answer', 90, { all: ['test/unit/blocks/models/'] }),
  room('core', 90, {
    all: [
      'test/unit/engine/policies/',
      'test/unit/engine/decide',
      'test/unit/engine/loop',
      'test/laws/judging',
      'test/laws/outcome',
      'test/property/kernel-',
    ],
  }),
  room('blocks/pipeline', 90, { near: ['test/unit/engine/'], all: ['test/laws/'] }),
  room('engine', 90, {
    all: [
      'test/unit/blocks/pipeline/',
      'test/unit/core/regressions',
      'test/laws/running',
      'test/laws/judging',
      'test/laws/outcome',
      'test/laws/undecided',
      'test/laws/hostile',
      'test/property/usage',
    ],
  }),
  room('blocks/reviewers', 90, { all: ['test/laws/', 'test/contract/reviewer'] }),
  room('products/self-review', 80, { all: [] }),
  room('products/quality-gate', 80, { all: ['test/property/gate-'] }),
  room('products/reviewer-stage', 80, { all: [] }),
  room('products/task-review', 80, { all: [] }),
  room('products/checklist-gate', 80, { all: ['test/property/checklist'] }),
];

function room(name, bar, { near: others = [], all }) {
  const near = [`test/unit/${name}/`, ...others];
  return { source: `src/${name}`, bar, near, all: [...near, ...all] };
}
