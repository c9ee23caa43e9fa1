import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/longest-first.js';
import { viteReportShell } from './scripts/report-shell.mjs';

// what a test costs stands in its name; see "Tests" in CONTRIBUTING.md
const real = 'test/**/*.real.test.ts';
const slow = 'test/**/*.slow.test.ts';
const alone = 'test/**/*.alone.test.ts';

// a project does not hear of this option by itself
const withTypes = !process.argv.includes('--typecheck.enabled=false');

export default defineConfig({
  plugins: [viteReportShell()],
  // the sources are tested without the package that they become
  resolve: {
    alias: {
      '#hash': new URL('src/core/portable-hash.ts', import.meta.url).pathname,
      '@/': new URL('src/', import.meta.url).pathname,
    },
  },
  test: {
    // files share a process, which loads the sources once for many: most of what a file of its own would cost
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [real, slow, alone],
          setupFiles: ['test/support/load-engine.ts'],
        },
      },
      // starting a process costs the more, the more memory its parent has: what a server or a browser left in a shared
      // process made each git command of the files after it several times as slow
      { extends: true, test: { name: 'real', include: [real], isolate: true } },
      { extends: true, test: { name: 'slow', include: [slow] } },
      { extends: true, test: { name: 'alone', include: [alone], isolate: true } },
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
    sequence: { sequencer: LongestFirst },
    // many tests wait for other processes, so one worker more than cores keeps all cores busy; where they wait most,
    // scripts/run-tests.mjs asks for more (projects do not hear of the option --maxWorkers)
    maxWorkers: Number(process.env['REVIEWLOOP_WORKERS'] ?? availableParallelism() + 1),
    // nothing is asserted about time; a busy machine only takes longer
    testTimeout: 1_500_000,
    hookTimeout: 1_500_000,
    setupFiles: ['test/support/fresh-file.ts'],
    execArgv: ['--expose-gc'],
    reporters: ['default', './scripts/summary-reporter.ts', './scripts/stall-reporter.ts'],
    coverage: {
      provider: 'v8',
      // a file that fails beside others and passes alone ends no run
      reportOnFailure: true,
      include: ['src/**/*.ts'],
      // runs inside the browser, where Node counts nothing; test/unit/blocks/criteria/page tries it on real pages
      exclude: ['src/blocks/criteria/page/inside/**'],
      reporter: ['text-summary', 'json-summary', 'html'],
    },
  },
});
