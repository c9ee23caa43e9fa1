import { defineConfig } from 'vitest/config';

/** Rooms whose tests import the sources and mock no packages: one process loads the sources once for many files, which is most of what a file of its own would cost. */
const shared = [
  'test/laws/**/*.test.ts',
  'test/unit/{answers,calibration,cli,config,diff,engine,gaps,kernel,payload,policies,ports,prompts,reports,requirements,reviewers,scoring,terminal,tokens}/**/*.test.ts',
  'test/unit/criteria/*.test.ts',
  'test/unit/criteria/{html,css,plan,text,code}/**/*.test.ts',
  'test/unit/pipelines/*.test.ts',
  'test/unit/pipelines/{checklist-gate,quality-gate,reviewer-stage}/**/*.test.ts',
];

// a project does not hear of this option by itself
const withTypes = !process.argv.includes('--typecheck.enabled=false');

export default defineConfig({
  // the sources are tested without the package that they become
  resolve: { alias: { '#hash': new URL('src/core/portable-hash.ts', import.meta.url).pathname } },
  test: {
    projects: [
      { extends: true, test: { name: 'together', include: shared, isolate: false } },
      { extends: true, test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: shared } },
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
    // nothing is asserted about time; a busy machine only takes longer
    testTimeout: 300_000,
    hookTimeout: 300_000,
    setupFiles: ['test/support/fresh-file.ts'],
    reporters: ['default', './scripts/summary-reporter.ts'],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'json-summary', 'html'],
      thresholds: { lines: 90, branches: 90 },
    },
  },
});
