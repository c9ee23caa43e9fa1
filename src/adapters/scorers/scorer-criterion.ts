import type { Criterion } from '../../blocks/reviewers/criterion.js';
import { assess, type DescribedCriterion } from '../../blocks/reviewers/from-criterion.js';
import { type Assessment, VerifiedAssessments } from '../../core/assessment.js';
import type { CriterionResult } from '../../core/criterion.js';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { hashText } from '../../core/hash.js';
import { asksNobody } from '../../core/policy.js';
import type { Reviewer } from '../../core/reviewer.js';
import type { Usage } from '../../core/usage.js';
import { scorerErrors } from './errors.js';
import { type Reading, ReadingsSchema, readScores } from './read-scores.js';
import type { FromScorerOptions, ScorerSubject } from './scorer-options.js';

export interface AskedScorer {
  readonly answer: unknown;
  readonly usage?: Usage | undefined;
}

export type AskScorer<Task, Output> = (
  subject: ScorerSubject<Task, Output>,
) => Promise<AskedScorer>;

export function scorerCriterion<Task, Output>(
  ask: AskScorer<Task, Output>,
  options: FromScorerOptions,
): Criterion<Output, Task> {
  const { id, severity = 'major', category = 'quality', description = id, name = id } = options;
  const described = { id, name, description, severity, category };
  const read = async (subject: ScorerSubject<Task, Output>, report: (usage: Usage) => void) => {
    const { answer, usage } = await asked(id, () => ask(subject));
    if (usage !== undefined) report(usage);
    return readScores(answer, options);
  };
  const reviewer: Reviewer<Task, Output> = {
    id,
    version: versionOf(described, options),
    tier: options.tier ?? 'model',
    review: asksNobody<Reviewer<Task, Output>['review']>(({ task, output }, context) =>
      context
        .check(ReadingsSchema, ({ signal }) =>
          read({ task, output, signal }, (usage) => context.reportUsage(usage)),
        )
        .then(
          (readings) => new VerifiedAssessments(...readings.map((one) => assessed(described, one))),
          (error: unknown) => {
            if (!(error instanceof ReviewLoopError)) throw error;
            return new VerifiedAssessments({ verdict: 'errored', criterion: id, error });
          },
        ),
    ),
  };
  return {
    ...reviewer,
    ...described,
    reviewer,
    validate: async (output, task, context): Promise<CriterionResult> => {
      const signal = context?.signal ?? new AbortController().signal;
      return mergedResult(await read({ task, output, signal }, () => {}));
    },
  };
}

async function asked(id: string, ask: () => Promise<AskedScorer>): Promise<AskedScorer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ReviewLoopError) throw error;
    throw new ReviewLoopError(scorerErrors.scorer_threw, `${id} threw: ${messageOf(error)}`, {
      cause: error,
      retryable: true,
    });
  }
}

function assessed(described: DescribedCriterion, { key, result }: Reading): Assessment {
  if (key === null) return assess(described, result);
  const { id, name, description } = described;
  return assess(
    {
      ...described,
      id: `${id}/${key}`,
      name: `${name}/${key}`,
      description: description === id ? `${id}/${key}` : description,
    },
    result,
  );
}

function versionOf(
  { name, description, severity, category }: DescribedCriterion,
  { version, threshold, keys = [], unscored }: FromScorerOptions,
): string {
  const parts = [version, threshold, keys.join('\u0001'), unscored ?? ''];
  const texts = [name, description, severity, category];
  return hashText(['scorer', ...parts, ...texts].join('\u0000')).slice(0, 16);
}

/** Passes if every result does. */
function mergedResult(readings: readonly Reading[]): CriterionResult {
  const [first] = readings;
  if (first !== undefined && readings.length === 1) return first.result;
  const judged = readings.filter(({ result }) => !isUnscored(result));
  const failed = judged.filter(({ result }) => !result.passed);
  const counted = failed.length > 0 ? failed : judged;
  const open = readings.find(({ result }) => result.undecided !== undefined)?.result.undecided;
  const score = Math.min(1, ...counted.map(({ result }) => result.score));
  const details = counted.map(({ key, result }) => `${key}: ${result.details}`).join(' ');
  if (failed.length > 0) {
    const findings = failed.map(({ key, result }) => ({
      description: `${key}: ${result.details}`,
    }));
    return { passed: false, score, details, findings };
  }
  if (open !== undefined) return { passed: false, score: 0, details: open, undecided: open };
  if (judged.length > 0) return { passed: true, score, details };
  const skipped = readings.map(({ key, result }) => `${key}: ${result.skipped}`).join(' ');
  return { passed: false, score: 0, details: skipped, skipped };
}

function isUnscored({ skipped, undecided }: CriterionResult): boolean {
  return skipped !== undefined || undecided !== undefined;
}
