import * as z from 'zod';
import type { Assessment, JudgedAssessment } from '../../core/assessment.js';
import { builtOnUse } from '../../core/built-on-use.js';
import { decorate } from '../../core/decorate-reviewer.js';
import { shareOfScale } from '../../core/grade.js';
import { digestJson } from '../../core/json.js';
import { checkList, invalid } from '../../core/options.js';
import type { Reviewer } from '../../core/reviewer.js';

/**
 * Creates a reviewer that asks a person where people disagreed with it too often. A verdict that a
 * rule does not let count becomes undecided: it approves nothing, and a person decides it. No rule
 * turns a failure into a pass. The rules become part of the version.
 *
 * @param rules - Rules that a person accepted; those of other criteria change nothing.
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const { judges } = learnFromDecisions(labels);
 * const rules = judges.flatMap(({ rule }) => rule ?? []);
 * const asking = askWhereUnreliable(clear, rules);
 * ```
 */
export function askWhereUnreliable<Task, Output>(
  reviewer: Reviewer<Task, Output>,
  rules: readonly AskRule[],
): Reviewer<Task, Output> {
  const known = new Map(checkedRules(rules).map((rule) => [rule.criterion, rule]));
  if (known.size === 0) return reviewer;
  return decorate(reviewer, {
    tag: `ask ${digestJson([...known.values()])}`,
    reply: async ({ answer }) => {
      const answered = await answer();
      const assessments = 'assessments' in answered ? answered.assessments : answered;
      const asked = assessments.map((assessment) =>
        askedIfUnreliable(assessment, known.get(assessment.criterion)),
      );
      return 'assessments' in answered ? { ...answered, assessments: asked } : asked;
    },
  });
}

function checkedRules(rules: unknown): readonly AskRule[] {
  checkList('rules', rules);
  const parsed = z.array(AskRuleSchema).safeParse(rules);
  if (!parsed.success)
    throw invalid('rules', `rules of learnFromDecisions: ${z.prettifyError(parsed.error)}`, rules);
  const ids = parsed.data.map(({ criterion }) => criterion);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw invalid('rules', 'one rule for each criterion', twice);
  return parsed.data;
}

/** A grade tells how sure the judge is; the score of all that reaches the bar is 1. */
function sureOf({ verdict, score, grade }: JudgedAssessment) {
  return { verdict, score: grade === undefined ? score : shareOfScale(grade) };
}

function askedIfUnreliable(assessment: Assessment, rule: AskRule | undefined): Assessment {
  const { verdict, criterion } = assessment;
  if (rule === undefined || (verdict !== 'pass' && verdict !== 'fail')) return assessment;
  // a comparison with an earlier version is no verdict on this one
  if (assessment.comparison !== undefined || counts(rule, sureOf(assessment))) return assessment;
  const { explanation, coverage } = assessment;
  return {
    verdict: 'undecided',
    criterion,
    reason: `the judge said ${verdict}, but people often disagreed with that: ${explanation || 'it gave no reason'}`,
    decidableBy: ['person'],
    ...(coverage !== undefined && { coverage }),
  };
}

const score = builtOnUse(() => z.number().min(0).max(1));

export const AskRuleSchema = builtOnUse(() =>
  z
    .strictObject({
      criterion: z.string().min(1),
      /** Passes with at least this score count; null: a person is asked about every pass. */
      passFrom: score.nullable().optional(),
      /** Fails with at most this score count; null: a person is asked about every fail. */
      failTo: score.nullable().optional(),
    })
    .refine(
      ({ passFrom, failTo }) => passFrom !== undefined || failTo !== undefined,
      'expected `passFrom` or `failTo`',
    ),
);

export interface AskRule extends z.infer<typeof AskRuleSchema> {}

function counts(
  { passFrom, failTo }: Pick<AskRule, 'passFrom' | 'failTo'>,
  {
    verdict,
    score: given,
  }: { readonly verdict: 'pass' | 'fail'; readonly score?: number | undefined },
): boolean {
  const bound = verdict === 'pass' ? passFrom : failTo;
  if (bound === undefined) return true;
  if (bound === null || given === undefined) return false;
  return verdict === 'pass' ? given >= bound : given <= bound;
}
