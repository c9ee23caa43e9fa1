import type { Assessment } from '../core/assessment.js';
import { AssessmentSchema } from '../core/assessment-schema.js';
import { copyJson } from '../core/json.js';
import type { Reviewer, ReviewerContext } from '../core/reviewer.js';
import { type ContractCase, ensure, ensureEqual } from './contract-case.js';

/**
 * Returns the test cases that every {@link Reviewer} must pass.
 *
 * @param makeReviewer - Creates the same reviewer for each case.
 * @param subject - A task and an output that it can judge.
 * @example
 * ```ts
 * const cases = reviewerContract(() => hasTitle, { task: 'tea', output: '# Tea' });
 * for (const { name, run } of cases) test(name, run);
 * ```
 */
export function reviewerContract<Task, Output>(
  makeReviewer: () => Reviewer<Task, Output>,
  subject: { readonly task: Task; readonly output: Output },
): readonly ContractCase[] {
  const assess = (): Promise<readonly Assessment[]> => assessmentsOf(makeReviewer(), subject);
  return [
    { name: 'has an id, a version and a tier', run: async () => ensureIdentity(makeReviewer()) },
    {
      name: 'has the same identity each time it is created',
      run: async () =>
        ensureEqual(identityOf(makeReviewer()), identityOf(makeReviewer()), 'id, version and tier'),
    },
    {
      name: 'returns at least one assessment, each of the documented shape, one per criterion',
      run: async () => {
        const assessments = await assess();
        ensure(
          Array.isArray(assessments) && assessments.length > 0,
          'a reviewer must return at least one assessment',
        );
        for (const assessment of assessments) {
          const parsed = AssessmentSchema.safeParse(assessment);
          ensure(
            parsed.success,
            `an assessment of ${assessment.criterion} was refused: ${parsed.error?.message}`,
          );
        }
        ensure(
          new Set(assessments.map(({ criterion }) => criterion)).size === assessments.length,
          'every criterion must be assessed once',
        );
      },
    },
    {
      name: 'a pass scores above 0, a fail has at least one gap',
      run: async () => {
        for (const assessment of await assess()) {
          if (assessment.verdict === 'pass')
            ensure(assessment.score > 0, `${assessment.criterion} passed with a score of 0`);
          if (assessment.verdict === 'fail')
            ensure(assessment.gaps.length > 0, `${assessment.criterion} failed without a gap`);
        }
      },
    },
    {
      name: 'assesses the same criteria for the same subject',
      run: async () =>
        ensureEqual(
          (await assess()).map(({ criterion }) => criterion).sort(),
          (await assess()).map(({ criterion }) => criterion).sort(),
          'criteria',
        ),
    },
    {
      name: 'settles when the run is already over',
      run: async () =>
        void (await Promise.allSettled([
          assessmentsOf(makeReviewer(), subject, AbortSignal.abort()),
        ])),
    },
  ];
}

async function assessmentsOf<Task, Output>(
  reviewer: Reviewer<Task, Output>,
  { task, output }: { readonly task: Task; readonly output: Output },
  signal?: AbortSignal,
): Promise<readonly Assessment[]> {
  const frozen = copyJson({ task, output }, { freeze: true });
  const view =
    reviewer.scope === undefined
      ? frozen.output
      : (copyJson(reviewer.scope(frozen), { freeze: true }) as Output);
  const answer = await reviewer.review(
    { task: frozen.task, output: view, iteration: 1 },
    fakeReviewerContext(signal && { signal }),
  );
  return 'assessments' in answer ? answer.assessments : answer;
}

function identityOf<Task, Output>({ id, version, tier }: Reviewer<Task, Output>): object {
  return { id, version, tier };
}

function ensureIdentity<Task, Output>({ id, version, tier }: Reviewer<Task, Output>): void {
  ensure(typeof id === 'string' && id !== '', 'a reviewer needs an id');
  ensure(typeof version === 'string' && version !== '', `${id} needs a version`);
  ensure(['code', 'model', 'confirm'].includes(tier), `${id} has the unknown tier ${tier}`);
}

/**
 * Creates the context of a reviewer without a pipeline. It runs steps and checks immediately,
 * records nothing, and rejects questions to a person.
 *
 * @param overrides - Members that replace the defaults.
 * @example
 * ```ts
 * const subject = { task: 'tea', output: '# Tea', iteration: 1 };
 * const answer = await hasTitle.review(subject, fakeReviewerContext());
 * ```
 */
export function fakeReviewerContext(overrides: Partial<ReviewerContext> = {}): ReviewerContext {
  const signal = overrides.signal ?? new AbortController().signal;
  return {
    runId: 'run',
    iteration: 1,
    nonce: 'nonce',
    previous: [],
    best: undefined,
    reportUsage: () => {},
    step: async (name, { schema }, work) =>
      schema.parse(await work({ key: name, attempt: 1, signal })),
    check: async (schema, work) => schema.parse(await work({ signal })),
    ask: (name) => Promise.reject(new Error(`no person can answer ${name}`)),
    join: (call) => call,
    budget: { reserve: () => ({ settle: () => {} }) },
    ...overrides,
    signal,
  };
}
