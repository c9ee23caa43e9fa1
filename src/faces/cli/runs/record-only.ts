import type { HumanAnswer } from '../../../core/human.js';
import { isThere } from '../../../node/files.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import { questionFor } from '../../cli-kit/answer-question.js';
import { usageError } from '../../cli-kit/errors.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import { tell } from '../../cli-kit/io.js';
import type { FoundRun, RunNeeds } from '../../cli-kit/runs/run-kind.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';

/** `undefined` if it can continue here. Only a shared store contains runs of other machines. */
export async function missingHere(
  { folder }: StoreHandle,
  { config, cwd, files = [] }: RunNeeds,
): Promise<string | undefined> {
  if (folder !== undefined) return undefined;
  const named = [
    ...(cwd === undefined ? [] : [['folder', cwd]]),
    ...(config === false ? [] : [['configuration', config]]),
    ...files.map((file) => ['file', file]),
  ];
  for (const [name, path = ''] of named)
    if (!(await isThere(path))) return `its ${name} ${path} is not on this machine`;
  return undefined;
}

interface RecordedHere {
  readonly answer: HumanAnswer;
  readonly question: string | undefined;
  readonly format: 'text' | 'json';
  /** Why its run does not go on here. */
  readonly why: string;
}

/** The run still waits: now for a machine that can continue it. */
const waits = 53;

/** It counts: every machine that continues the run finds it. */
export async function recordOnly(
  { io, store }: StoredCall,
  { report, next }: FoundRun,
  { answer, question, format, why }: RecordedHere,
): Promise<number> {
  const { runId, status } = report;
  const { kind, by } = answer;
  if (status !== 'suspended')
    throw usageError(
      `run ${runId} has ended, and \`${kind}\` replays it, but ${why}; ` +
        'give the command on the machine that reviewed it',
      runId,
    );
  const { id, digest } = questionFor(report, question);
  const { recordAnswer } = await import('../../../adapters/engines/record-answer.js');
  await recordAnswer(store.runs, { runId, id, digest }, answer, { audit: store.audit });
  const command = `${next}${store.words(io.cwd)}`;
  const about = { recorded: kind, by, question: id, why, next: command, exitCode: waits };
  const lines = [
    `recorded: ${kind} by ${by}`,
    `run ${runId} does not go on here: ${why}`,
    `next, on a machine that has it: ${command}`,
  ];
  const data = { runId, status, ...about };
  await tell(io, format, { data, lines: lines.map(oneLine) });
  return waits;
}
