import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { viteReportShell } from './scripts/report-shell.mjs';

/**
 * Tests that share a process: it loads the sources once for many files, which is most of what a file of its own would cost.
 */
const shared = ['test/laws/**/*.test.ts', 'test/unit/**/*.test.ts'];

/** Rooms whose tests replace packages, or change what the whole process sees. */
const apart = [
  'test/unit/{git,node,providers,redact,stores}/**/*.test.ts',
  'test/unit/{people,quality-gate/mcp,task-review,reviewer-stage/command}/**/*.test.ts',
  'test/unit/criteria/{html-axe,code-lint,spelling}/**/*.test.ts',
];

// a project does not hear of this option by itself
const withTypes = !process.argv.includes('--typecheck.enabled=false');

export default defineConfig({
  plugins: [viteReportShell()],
  // the sources are tested without the package that they become
  resolve: { alias: { '#hash': new URL('src/core/portable-hash.ts', import.meta.url).pathname } },
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'together', include: shared, exclude: apart, isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: [...apart, 'test/!(laws|unit)/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: withTypes,
            only: true,
            include: ['test/types/**/*.test-d.ts'],
            checker: './node_modules/typescript7/bin/tsc',
            // `npm run typecheck` covers the sources
            ignoreSourceErrors: true,
          },
        },
      },
    ],
    // many tests wait for other processes, so one worker more than cores keeps all cores busy
    maxWorkers: availableParallelism() + 1,
    // nothing is asserted about time; a busy machine only takes longer
    testTimeout: 300_000,
    hookTimeout: 300_000,
    setupFiles: ['test/support/fresh-file.ts'],
    reporters: ['default', './scripts/summary-reporter.ts', './scripts/stall-reporter.ts'],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // runs inside the browser, where Node counts nothing; test/unit/criteria/page tries it on real pages
      exclude: ['src/criteria/page/inside/**'],
      reporter: ['text-summary', 'json-summary', 'html'],
    },
  },
});
