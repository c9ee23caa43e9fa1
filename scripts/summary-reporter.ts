import { mkdirSync, writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';

const summaryFile = 'temp/test-summary.json';

const skipReason = (test: TestCase): string => {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  return note ?? (test.options.mode === 'todo' ? 'todo' : 'marked skip, no reason given');
};

const brokenGroups = (module: TestModule): number => {
  const groups: (TestModule | TestSuite)[] = [module, ...module.children.allSuites()];
  return groups.filter((group) => group.errors().length > 0).length;
};

/** Keeps the counts of a run, and each skipped test with its reason, for the last lines of `npm test`. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const broken = modules.reduce((sum, module) => sum + brokenGroups(module), 0);
    const skipped = tests
      .filter((test) => test.result().state === 'skipped')
      .map((test) => `${test.module.relativeModuleId} > ${test.fullName}: ${skipReason(test)}`);
    const summary = {
      passed: count('passed'),
      failed: count('failed') + broken + unhandledErrors.length,
      skipped,
    };
    mkdirSync('temp', { recursive: true });
    writeFileSync(summaryFile, JSON.stringify(summary));
  }
}
