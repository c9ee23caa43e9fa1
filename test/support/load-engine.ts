// A loop loads rare parts when they are first needed. A test that moves a fake clock must not wait for them.
const parts = import.meta.glob<unknown>([
  '../../src/{core,ports,engine}/**/*.ts',
  '../../src/blocks/{address,models,pipeline,reviewers}/**/*.ts',
]);
await Promise.all(Object.values(parts).map((load) => load()));
