import { ReviewLoopError } from '../core/errors.js';
import type { HumanAnswer, HumanAnswerKind, HumanRequest } from '../core/human.js';
import { nodeErrors } from '../node/errors.js';
import type { RunReport } from '../reports/run-report.js';
import { questionLines } from './show/next-command.js';

/** An answer as the command line is given it. */
export interface GivenAnswer {
  readonly kind: HumanAnswerKind;
  readonly reason: string | undefined;
  readonly by: string;
  /** The id of a question, or its start. */
  readonly question: string | undefined;
}

/**
 * The answer that is recorded; the reason of `revise` is its note.
 *
 * @throws ReviewLoopError `reason_required`
 */
export function answerOf({ kind, reason = '', by }: GivenAnswer): HumanAnswer {
  const given = reason.trim();
  if (given === '' && (kind === 'revise' || kind === 'override'))
    throw new ReviewLoopError('reason_required', `${kind} needs --reason TEXT`);
  if (kind === 'revise') return { kind, by, note: given };
  if (kind === 'override') return { kind, by, reason: given };
  return { kind, by, ...(given !== '' && { reason: given }) };
}

/**
 * The question of a suspended run that is answered.
 *
 * @throws ReviewLoopError `usage`, `request_unknown`
 */
export function questionFor(report: RunReport, id: string | undefined): HumanRequest {
  const requests = report.requests ?? [];
  const matching = requests.filter(
    (request) => id === undefined || (id !== '' && request.id.startsWith(id)),
  );
  const [found] = matching;
  const open = `; open are: ${questionLines(report).join(' / ')}`;
  if (found === undefined)
    throw new ReviewLoopError(
      'request_unknown',
      `run ${report.runId} asks no question ${id ?? ''}${open}`,
      { value: id },
    );
  if (matching.length > 1)
    throw new ReviewLoopError(
      nodeErrors.usage,
      `${matching.length} questions are meant; name one with --question${open}`,
      { value: id },
    );
  return found;
}
