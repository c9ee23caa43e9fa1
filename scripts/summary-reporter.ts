import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node';

const skipReason = (test: TestCase): string => {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  return note ?? (test.options.mode === 'todo' ? 'todo' : 'marked skip, no reason given');
};

const brokenGroups = (module: TestModule): number => {
  const groups: (TestModule | TestSuite)[] = [module, ...module.children.allSuites()];
  return groups.filter((group) => group.errors().length > 0).length;
};

const firstLines = (errors: readonly { readonly message: string }[]): string =>
  errors
    .map(({ message }) => message.split('\n').slice(0, 6).join('\n    ').slice(0, 600))
    .join('\n    ');

/** What failed, with the first lines of its error: the end of a long log is often all that is kept of it. */
const failuresOf = (module: TestModule): string[] => {
  const tests = [...module.children.allTests('failed')].map((test) => ({
    title: test.fullName,
    errors: test.result().errors ?? [],
  }));
  const groups = [module, ...module.children.allSuites()].map((group) => ({
    title: group.type === 'suite' ? group.fullName : 'the file itself',
    errors: group.errors(),
  }));
  return [...tests, ...groups]
    .filter(({ errors }) => errors.length > 0)
    .map(({ title, errors }) => `${module.relativeModuleId} > ${title}: ${firstLines(errors)}`);
};

/**
 * Keeps what `scripts/test.mjs` prints at its end in the file REVIEWLOOP_SUMMARY: counts, failures, skipped tests with
 * their reasons.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const summaryFile = process.env['REVIEWLOOP_SUMMARY'];
    if (summaryFile === undefined) return;
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
      outsideOfTests: unhandledErrors.length,
      failures: [
        ...modules.flatMap(failuresOf),
        ...unhandledErrors.map((error) => `outside of the tests: ${firstLines([error])}`),
      ],
      failedFiles: modules
        .filter((module) => !module.ok())
        .map((module) => module.relativeModuleId),
      slowest: modules
        .map(
          (module) => [Math.round(module.diagnostic().duration), module.relativeModuleId] as const,
        )
        .sort(([a], [b]) => b - a)
        .slice(0, 40),
    };
    mkdirSync(dirname(summaryFile), { recursive: true });
    writeFileSync(summaryFile, JSON.stringify(summary));
  }
}
