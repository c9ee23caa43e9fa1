import { sanitise } from '../../../node/terminal/sanitise.js';
import type { HumanTexts } from '../../../ports/human-gate.js';
import type { CompletedWork } from '../../../products/reviewer-stage/completed-work.js';
import type { ReviewerStage } from '../../../products/reviewer-stage/reviewer-stage.js';
import type { StageResult } from '../../../products/reviewer-stage/stage-result.js';
import {
  assessmentLines,
  humanReviewLines,
  overrideLines,
} from '../../../products/reviewer-stage/stage-text.js';
import type { Io } from '../../cli-kit/io.js';
import { userName } from '../../cli-kit/require-person.js';
import { Prompts } from '../../people/prompts.js';
import { terminalPerson } from '../../people/terminal-person.js';

export interface AtTerminal {
  readonly io: Io;
  readonly stage: ReviewerStage;
  readonly say: (lines: readonly string[]) => Promise<void>;
}

/** Without a terminal or an answer, the review stays suspended. */
export async function askPerson(
  result: StageResult,
  { io, stage, say }: AtTerminal,
): Promise<StageResult> {
  let current = result;
  while (current.run.status === 'suspended' && io.terminal !== undefined) {
    const [request] = current.run.requests;
    const gate = terminalPerson({ by: userName(), mode: 'key', ...io.terminal });
    const answer = await gate.ask(request, textsOf(current), { signal: io.signal });
    if (answer === undefined) return current;
    await say([said(answer.kind)]);
    current = await stage.answer(
      { runId: request.runId, id: request.id, digest: request.digest },
      answer,
      { signal: io.signal },
    );
  }
  return current;
}

function said(kind: string): string {
  if (kind === 'approve') return '✓ Approved by user';
  return kind === 'reject' ? '✗ Declined by user' : `✓ Answered by user: ${kind}`;
}

const overridable: readonly StageResult['outcome'][] = ['rejected', 'escalated', 'timed_out'];

/** Any answer but yes means no. */
export async function offerOverride(
  result: StageResult,
  { io, stage, say }: AtTerminal,
): Promise<StageResult> {
  const { run } = result;
  if (
    io.terminal === undefined ||
    run.version === undefined ||
    !overridable.includes(result.outcome)
  )
    return result;
  const prompts = new Prompts(io.terminal, io.signal);
  let reason: string | undefined;
  try {
    const yes = await prompts.text('Override review rejection? [y/N]', (text) =>
      /^\s*(?:(?:y|yes|n|no)\s*)?$/i.test(text) ? undefined : 'Answer y or n.',
    );
    if (yes === undefined || !/^\s*y/i.test(yes)) return result;
    reason = await prompts.text('Reason for override:', (text) =>
      sanitise(text).trim() === '' ? 'This needs a reason.' : undefined,
    );
  } finally {
    prompts.close();
  }
  if (reason === undefined) return result;
  const given = { by: userName(), reason: sanitise(reason).trim() };
  const overridden = await stage.override({ runId: run.runId, digest: run.version }, given, {
    signal: io.signal,
  });
  if (overridden.outcome === 'overridden')
    await say(['', ...overrideLines(given.reason, sanitise)]);
  return overridden;
}

function textsOf(result: StageResult): HumanTexts {
  return {
    summary: humanReviewLines(result, sanitise).join('\n'),
    changes: changesText(result.run.output),
    details: [
      ...assessmentLines(result.dimensions, sanitise),
      '',
      ...(result.summary?.notes ?? []).map((note) => `  - ${sanitise(note)}`),
    ].join('\n'),
  };
}

function changesText(work: CompletedWork | undefined): string {
  const parts = (work?.changedFiles ?? []).map(({ path, status, diff, content, omitted }) => {
    if (diff !== undefined) return diff;
    if (content !== undefined) return `${status} ${path}\n${content.replace(/^/gm, '+')}`;
    return `${status} ${path} (${omitted ?? 'no text'})`;
  });
  return parts.join('\n');
}
