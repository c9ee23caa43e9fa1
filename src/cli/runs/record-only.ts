import { answerOf } from '../../cli-kit/answer-question.js';
import type { Io } from '../../cli-kit/io.js';
import { quoted } from '../../cli-kit/show/quoted.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { HumanRequest } from '../../core/human.js';
import { recordAnswer } from '../../engines/record-answer.js';
import { nodeErrors } from '../../node/errors.js';
import type { RunReport } from '../../reports/run-report.js';
import { oneLine, terminalSafeJson } from '../../terminal/sanitise.js';
import type { AnswerSettings } from './answered-run.js';

/** A run that cannot continue on this machine, and its answer. */
export interface DistantRun {
  readonly runId: string;
  readonly settings: AnswerSettings;
  /** Why it cannot continue here. */
  readonly why: string;
  readonly report: Pick<RunReport, 'coverage' | 'undecided'>;
  /** Returns the question to answer; `undefined` if the run has ended. */
  readonly question: () => HumanRequest | undefined;
  /** The command that continues it elsewhere, without its `--store`. */
  readonly next: string;
}

/** The exit code of a run that still waits: now for a machine that can continue it. */
const waits = 53;

/**
 * Records an answer of a run that cannot continue on this machine, and says so. It counts: every
 * machine that continues the run finds it.
 *
 * @returns The exit code, 53.
 * @throws ReviewLoopError `usage` for a run that has ended: its end is replayed to override it
 */
export async function recordOnly(
  io: Io,
  { runId, settings, why, report, question, next }: DistantRun,
): Promise<number> {
  const asked = question();
  if (asked === undefined)
    throw new ReviewLoopError(
      nodeErrors.usage,
      `run ${runId} has ended, and \`${settings.kind}\` replays it, but ${why}; ` +
        'give the command on the machine that reviewed it',
      { value: runId },
    );
  const { store, by, kind } = settings;
  const { runs, audit } = store;
  const reference = { runId, id: asked.id, digest: asked.digest };
  await recordAnswer(runs, reference, answerOf(settings, report), { audit });
  const command = `${next}${store.words(io.cwd)}`;
  await io.out(
    settings.format === 'json'
      ? `${terminalSafeJson({ schemaVersion: 1, runId, status: 'suspended', recorded: kind, by, question: asked.id, why, next: command, exitCode: waits })}\n`
      : `${[
          `recorded: ${kind} by ${by}`,
          `run ${runId} does not go on here: ${why}`,
          `next, on a machine that has it: ${command}`,
        ]
          .map(oneLine)
          .join('\n')}\n`,
  );
  return waits;
}

/** Returns the command that continues a run of files or of a diff. */
export function resumeLine(runId: string): string {
  return `reviewloop resume ${quoted(runId)}`;
}
