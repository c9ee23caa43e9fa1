import type { AssessmentReport, RunReport } from '../run-report.js';
import { taskTitle } from '../run-words.js';
import { verdictOf } from '../verdict-words.js';
import { passes, plainText } from './findings-of.js';

export interface RunNote {
  readonly kind: 'verdict' | 'failed_judge' | 'undecided' | 'not_reviewed';
  readonly level: 'error' | 'warning' | 'note';
  readonly code: string;
  readonly title: string;
  readonly message: string;
  readonly criterion?: string | undefined;
}

export function notesOf(run: RunReport): RunNote[] {
  return [
    verdictNote(run),
    ...run.failures.map(failedJudge),
    ...run.undecided.map(openQuestion),
    ...run.notReviewed.map(
      ({ path, reason }): RunNote => ({
        kind: 'not_reviewed',
        level: 'note',
        code: 'not_reviewed',
        title: 'not reviewed',
        message: plainText(`${path}: ${reason}`),
      }),
    ),
  ];
}

function verdictNote(run: RunReport): RunNote {
  const { status, code } = run;
  const { word, why } = verdictOf(run);
  return {
    kind: 'verdict',
    level: passes(run) ? 'note' : hasBroken(run) ? 'error' : 'warning',
    code,
    title: status,
    message: plainText(`${taskTitle(run)}: ${word}. ${why}`.trimEnd()),
  };
}

export function hasBroken({ status }: RunReport): boolean {
  return ['failed', 'timed_out', 'cancelled'].includes(status);
}

function failedJudge({ criterion, id, text, code = 'judge_failed' }: AssessmentReport): RunNote {
  return {
    kind: 'failed_judge',
    level: 'error',
    code,
    title: 'no verdict',
    message: plainText(`${id ?? criterion} has no verdict: ${text}`),
    criterion,
  };
}

function openQuestion(assessment: AssessmentReport): RunNote {
  const { criterion, id, question, text, decidableBy = [], mandatory } = assessment;
  const who = decidableBy.length === 0 ? '' : ` Who can decide: ${decidableBy.join(', ')}.`;
  const name = id === undefined ? '' : `${id}: `;
  return {
    kind: 'undecided',
    level: mandatory === false ? 'note' : 'warning',
    code: 'undecided',
    title: 'undecided',
    message: plainText(`${name}${question ?? criterion} Undecided: ${text}.${who}`),
    criterion,
  };
}
