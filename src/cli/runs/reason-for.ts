import { type GivenAnswer, saidReason } from '../../cli-kit/answer-question.js';
import type { Io } from '../../cli-kit/io.js';
import { isOverride } from '../../core/human.js';
import { Prompts } from '../../people/prompts.js';
import type { RunReport } from '../../reports/run-report.js';
import { sanitise } from '../../terminal/sanitise.js';

/**
 * Returns the reason of an answer. Where one is needed and none was given, it asks the person at
 * the terminal, so that a printed command can be run as it stands.
 */
export async function reasonFor(
  { terminal, signal }: Pick<Io, 'terminal' | 'signal'>,
  { kind, reason }: Pick<GivenAnswer, 'kind' | 'reason'>,
  report: Pick<RunReport, 'requests'>,
): Promise<string | undefined> {
  const said = saidReason(reason);
  if (said !== '') return said;
  const isAcceptance = kind === 'approve' && report.requests?.some(isOverride) === true;
  const question =
    kind === 'revise'
      ? 'What to change:'
      : kind === 'override' || isAcceptance
        ? 'Reason for override:'
        : undefined;
  if (question === undefined || terminal === undefined) return undefined;
  const prompts = new Prompts(terminal, signal);
  try {
    const typed = await prompts.text(question, (text) =>
      saidReason(sanitise(text)) === '' ? 'This needs a reason.' : undefined,
    );
    return typed === undefined ? undefined : sanitise(typed).trim();
  } finally {
    prompts.close();
  }
}
