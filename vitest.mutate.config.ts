import { defineConfig } from 'vitest/config';
import { lastingThreads } from './scripts/mutation/lasting-worker.mjs';
import { testFiles } from './scripts/mutation/test-files.js';
import { testsInOrder } from './scripts/mutation/tests-in-order.js';
import { viteReportShell } from './scripts/report-shell.mjs';

/** The tests that `npm run mutate` chose. */
const { together, alone } = testFiles(JSON.parse(process.env['MUTATE_TESTS'] ?? '{"prefixes":[]}'));

const patience = Number(process.env['MUTATE_TEST_MS'] ?? 60_000);

export default defineConfig({
  plugins: [viteReportShell(), lastingThreads()],
  resolve: {
    alias: {
      '#hash': new URL('src/core/portable-hash.ts', import.meta.url).pathname,
      '@/': new URL('src/', import.meta.url).pathname,
    },
  },
  test: {
    projects: [
      { extends: true, test: { name: 'together', include: together, isolate: false } },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
    passWithNoTests: true,
    // a test that hangs fails, before Stryker ends the process that runs it
    testTimeout: patience,
    hookTimeout: patience,
    sequence: { setupFiles: 'list', sequencer: testsInOrder([...together, ...alone]) },
    setupFiles: ['scripts/mutation/fresh-modules.ts', 'test/support/fresh-file.ts'],
  },
});
