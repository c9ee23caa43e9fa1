import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // nothing is asserted about time; a busy machine only takes longer
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: ['default', './scripts/summary-reporter.ts'],
    typecheck: {
      enabled: true,
      include: ['test/types/**/*.test-d.ts'],
      checker: './node_modules/typescript7/bin/tsc',
      // `npm run typecheck` covers the sources
      ignoreSourceErrors: true,
    },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'json-summary', 'html'],
      thresholds: { lines: 90, branches: 90 },
    },
  },
});
