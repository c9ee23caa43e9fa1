import { type Assessment, VerifiedAssessments } from '../../core/assessment.js';
import {
  type CheckResult,
  type CriterionContext,
  type CriterionResult,
  CriterionResultSchema,
  type DecideRequirement,
  defaultEffort,
  type Finding,
  longAnswer,
} from '../../core/criterion.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { Gap, GapCategory, Severity } from '../../core/gap.js';
import { hashText } from '../../core/hash.js';
import { asksNobody } from '../../core/policy.js';
import {
  isPlainCheck,
  type PlainCheck,
  type Reviewer,
  type ReviewerContext,
} from '../../core/reviewer.js';
import type { CheckCall } from '../../core/step.js';
import { CallContext } from '../../engine/definition.js';
import { parseStep } from '../../engine/step-record.js';
import { isThenable } from '../../engine/timed-call.js';

export interface DescribedCriterion {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly severity: Severity;
  readonly category: GapCategory;
}

/** A criterion whose `validate` may return short forms, with or without a promise. */
export interface Checkable<Output, Task, Context>
  extends DescribedCriterion,
    Pick<Reviewer<Task, Output>, 'scope' | 'fix' | 'reuse'> {
  readonly version?: string | undefined;
  readonly tier?: Reviewer<Task, Output>['tier'] | undefined;
  readonly decides?: DecideRequirement<Output> | undefined;
  readonly validate: (
    output: Output,
    task: Task,
    context: Context,
  ) => CheckResult | Promise<CheckResult>;
}

/** One check, one assessment, a gap for every finding. */
export function fromCriterion<Output, Task>(
  criterion: Checkable<Output, Task, CriterionContext>,
): Reviewer<Task, Output> {
  const reviewer = fromCriterionIn(criterion, plainContext);
  isPlainCheck(reviewer.review, plainCheck(criterion));
  return reviewer;
}

function plainCheck<Output, Task>(
  criterion: Checkable<Output, Task, CriterionContext>,
): PlainCheck {
  return {
    call: (output, task, previous, call) =>
      criterion.validate(output as Output, task as Task, plainContext(task, { previous }, call)),
    assess: (answer, label) =>
      assessed(criterion, checkedResult(longAnswer(answer as CheckResult), label)),
    failed: async (error) => failed(criterion, await known(criterion, error)),
  };
}

function checkedResult(result: CriterionResult, label: string): CriterionResult {
  if (typeof result === 'object' && result !== null) {
    const { passed, score, details } = result;
    if (
      Object.keys(result).length === 3 &&
      typeof passed === 'boolean' &&
      typeof score === 'number' &&
      score >= 0 &&
      score <= 1 &&
      typeof details === 'string'
    )
      return { passed, score, details };
  }
  return parseStep(label, CriterionResultSchema, result);
}

export function fromCriterionIn<Output, Task, Context extends CriterionContext>(
  criterion: Checkable<Output, Task, Context>,
  contextOf: ContextOf<Task, Context>,
): Reviewer<Task, Output> {
  const { scope, fix } = criterion;
  return {
    id: criterion.id,
    version: versionOf(criterion),
    reuse: criterion.version === undefined ? 'run' : criterion.reuse,
    tier: criterion.tier ?? 'code',
    severity: criterion.severity,
    scope,
    fix,
    review: asksNobody<Reviewer<Task, Output>['review']>(({ task, output }, context) =>
      context
        .check(CriterionResultSchema, (call) => {
          const answer = criterion.validate(output, task, contextOf(task, context, call));
          return isThenable(answer) ? Promise.resolve(answer).then(longAnswer) : longAnswer(answer);
        })
        .then(
          (result) => new VerifiedAssessments(assessed(criterion, result)),
          async (error: unknown) =>
            new VerifiedAssessments(failed(criterion, await known(criterion, error))),
        ),
    ),
  };
}

function failed({ id }: DescribedCriterion, error: ReviewLoopError): Assessment {
  return { verdict: 'errored', criterion: id, error };
}

async function known({ id }: DescribedCriterion, thrown: unknown): Promise<ReviewLoopError> {
  if (thrown instanceof ReviewLoopError && thrown.code !== 'step_invalid') return thrown;
  return (await import('./criterion-error.js')).criterionError(id, thrown);
}

function assessed(criterion: DescribedCriterion, result: CriterionResult): Assessment {
  try {
    return assess(criterion, result);
  } catch (error) {
    if (error instanceof ReviewLoopError) return failed(criterion, error);
    throw error;
  }
}

function versionOf<Output, Task, Context>({
  version,
  validate,
  scope,
  decides,
  name,
  description,
  severity,
  category,
}: Checkable<Output, Task, Context>): string {
  const decider = decides === undefined ? '' : `\u0000${String(decides)}`;
  const rules = version ?? `${String(validate)}\u0000${String(scope)}${decider}`;
  return hashText([rules, name, description, severity, category].join('\u0000')).slice(0, 16);
}

export function assess(criterion: DescribedCriterion, result: CriterionResult): Assessment {
  const { id, category } = criterion;
  if (result.skipped !== undefined)
    return { verdict: 'skipped', criterion: id, reason: result.skipped };
  if (result.undecided !== undefined) return undecided(criterion, result.undecided, result);
  const { passed, score, details: explanation, grade } = result;
  if (passed && score === 0) {
    throw new ReviewLoopError(
      'criterion_contradiction',
      `${id} returned passed with a score of 0`,
      { value: result },
    );
  }
  const about = passed ? { ...criterion, severity: 'minor' as const } : criterion;
  const gaps = (result.findings ?? []).map((finding) => findingGap(about, result, finding));
  if (!passed && gaps.length === 0) gaps.push(wholeGap(criterion, result));
  const said = { criterion: id, score, explanation, gaps, category, ...(grade && { grade }) };
  return { verdict: passed ? 'pass' : 'fail', ...said };
}

function undecided(
  { id, name, description }: DescribedCriterion,
  reason: string,
  { decidableBy = ['person'] }: CriterionResult,
): Assessment {
  const question = description === id ? name : description;
  return { verdict: 'undecided', criterion: id, reason, question, decidableBy };
}

export function wholeGap(criterion: DescribedCriterion, result: CriterionResult): Gap {
  const description =
    result.details === '' ? criterion.name : `${criterion.name}: ${result.details}`;
  return {
    id: '',
    severity: criterion.severity,
    category: criterion.category,
    description,
    suggestedFix: result.suggestedFix ?? usualFix(criterion, description),
    estimatedEffort: result.estimatedEffort ?? defaultEffort,
    autoFixable: true,
    criterionId: criterion.id,
    raisedBy: criterion.id,
    lifecycle: 'new',
  };
}

/** An id says nothing, so what is wrong takes its place. */
function usualFix({ id, description }: DescribedCriterion, wrong: string): string {
  return description === id ? wrong : description;
}

function findingGap(criterion: DescribedCriterion, result: CriterionResult, finding: Finding): Gap {
  const { file, line, endLine, evidence, picture } = finding;
  const description = `${criterion.name}: ${finding.description}`;
  return {
    ...wholeGap(criterion, result),
    severity: finding.severity ?? criterion.severity,
    category: finding.category ?? criterion.category,
    description,
    suggestedFix: finding.suggestedFix ?? result.suggestedFix ?? usualFix(criterion, description),
    autoFixable: finding.autoFixable ?? true,
    ...(evidence !== undefined && { evidence }),
    ...(picture !== undefined && { picture }),
    ...(file !== undefined && {
      affectedArtifact: file,
      location: {
        file,
        ...(line !== undefined && { line }),
        ...(endLine !== undefined && { endLine }),
      },
    }),
  };
}

export type ContextOf<Task, Context extends CriterionContext> = (
  task: Task,
  context: ReviewerContext,
  call: CheckCall,
) => Context;

/** The signal is made when it is read. */
class PlainContext extends CallContext implements CriterionContext {
  readonly previous: CriterionContext['previous'];

  constructor(previous: CriterionContext['previous'], call: CheckCall) {
    super(call);
    this.previous = previous;
  }
}

export function plainContext(
  _task: unknown,
  { previous }: Pick<ReviewerContext, 'previous'>,
  call: CheckCall,
): CriterionContext {
  return new PlainContext(previous, call);
}
