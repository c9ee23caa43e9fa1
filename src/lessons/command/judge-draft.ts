import type { AskRule } from '../../calibration/ask-rule.js';
import { isOfOneTask } from '../../calibration/command/judge-verdicts.js';
import type { Agreement, JudgeLesson, Learned } from '../../calibration/learn-from-decisions.js';
import { digestJson } from '../../core/json.js';

/** A proposed rule about a judge. It changes nothing until a person accepts it. */
export interface JudgeDraft {
  readonly status: 'draft';
  readonly id: string;
  readonly rule: AskRule;
  /** The decisions behind the proposal. */
  readonly basis: Pick<JudgeLesson, 'passes' | 'fails' | 'overridden'>;
}

/** Returns the rules that decisions of people suggest. */
export function judgeDrafts({ judges }: Learned): JudgeDraft[] {
  return judges.flatMap(({ criterion, rule, passes, fails, overridden }) =>
    rule === undefined || isOfOneTask(criterion)
      ? []
      : [
          {
            status: 'draft' as const,
            id: `judge-${criterion}-${digestJson(rule).slice(0, 6)}`,
            rule,
            basis: { passes, fails, overridden },
          },
        ],
  );
}

/** Returns a rule in words. */
export function ruleText({ criterion, passFrom, failTo }: AskRule): string {
  const asked = [
    ...(passFrom === undefined ? [] : [whenAsked('pass', passFrom, 'below')]),
    ...(failTo === undefined ? [] : [whenAsked('fail', failTo, 'above')]),
  ];
  return `ask a person when ${criterion} says ${asked.join(', or ')}`;
}

function whenAsked(verdict: string, bound: number | null, side: string): string {
  return bound === null ? verdict : `${verdict} with a score ${side} ${bound}`;
}

/** Returns what people decided, in words. */
export function basisText({ passes, fails, overridden }: JudgeDraft['basis']): string {
  const of = (name: string, { agreed, of: all }: Agreement): string =>
    `${agreed} of ${all} ${name}`;
  const accepted = overridden === 0 ? '' : `; ${overridden} fails were overridden`;
  return `people agreed with ${of('passes', passes)} and ${of('fails', fails)}${accepted}`;
}
