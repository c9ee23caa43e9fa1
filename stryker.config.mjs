import { rooms } from './scripts/mutation/rooms.mjs';

/** Options that `npm run mutate` completes: which files are changed, by which tests they are tried, where reports are written. */
const config = {
  mutate: rooms.map(({ source }) => `${source}/**/*.ts`),
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutate.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner', './scripts/mutation/ignore-prose.mjs'],
  ignorers: ['prose'],
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // a busy machine is slow, and a false timeout would count as found, so timeouts are wide
  timeoutMS: 20_000,
  timeoutFactor: 3,
  dryRunTimeoutMinutes: 20,
  tempDirName: `temp/stryker-${process.pid}`,
  ignorePatterns: ['coverage', 'dist', 'temp'],
  reporters: ['json', 'progress-append-only'],
  warnings: { slow: false },
  allowEmpty: true,
};

export default config;
