import * as vitest from 'vitest';
import type { TestRecord } from './test-record.js';

/** The test that runs a matcher, as far as the version of vitest tells. */
export interface RunningTest {
  /** Aborted when the test ends by a timeout, or is cancelled. */
  readonly signal: AbortSignal | undefined;
  /** The timeout of the test, in milliseconds. Undefined if it has none, or if it is not known. */
  readonly timeoutMs: number | undefined;
  /** Adds what a matcher found to `task.meta.reviewloop`. */
  readonly record: (entry: TestRecord) => void;
  /** Shows a text beside the test, in the reporters that show annotations. */
  readonly annotate: (text: string) => Promise<void>;
}

/** The members of a test that exist in some versions only. vitest 3.2 brought the first two. */
interface AnyTest {
  readonly concurrent?: boolean | undefined;
  readonly timeout?: number | undefined;
  readonly meta: { reviewloop?: TestRecord[] };
  readonly context: {
    readonly signal?: AbortSignal | undefined;
    readonly annotate?: ((text: string, type: string) => Promise<unknown>) | undefined;
    readonly onTestFinished: (call: () => void) => void;
  };
}

/** Returns the current test of vitest before 4.1, which does not hand it to matchers. */
const currentTest: () => AnyTest | undefined =
  'TestRunner' in vitest ? () => undefined : (await import('vitest/suite')).getCurrentTest;

/** The name of annotations: the `name` of a JUnit property, the title of an annotation on GitHub. */
const annotationType = 'reviewloop';

/** Returns the test that runs a matcher. Without one, nothing is aborted, recorded or shown. */
export function runningTest(state: { readonly task?: AnyTest | undefined }): RunningTest {
  const test = state.task ?? sequential(currentTest());
  return {
    signal: test && signalOf(test),
    timeoutMs: timeoutOf(test),
    record: (entry) => {
      if (test !== undefined) test.meta.reviewloop = [...(test.meta.reviewloop ?? []), entry];
    },
    annotate: async (text) => {
      try {
        await test?.context.annotate?.(text, annotationType);
      } catch {
        // the test ended before the matcher did; vitest says that it was not awaited
      }
    },
  };
}

/** Several tests of one file may run at once: which of them the current one is, nobody can tell. */
function sequential(test: AnyTest | undefined): AnyTest | undefined {
  return test?.concurrent === true ? undefined : test;
}

function signalOf({ context }: AnyTest): AbortSignal {
  if (context.signal !== undefined) return context.signal;
  const ended = new AbortController();
  context.onTestFinished(() => ended.abort());
  return ended.signal;
}

function timeoutOf(test: AnyTest | undefined): number | undefined {
  const timeout = test?.timeout;
  return timeout !== undefined && timeout > 0 && Number.isFinite(timeout) ? timeout : undefined;
}
