import { join } from 'node:path';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import { plural } from '../../core/plural.js';
import { oneLine, terminalSafeJson } from '../../terminal/sanitise.js';
import type { Calibration } from '../calibration.js';
import { calibrationOfDecisions, decidedVerdicts, type UnusedLabels } from '../decided-verdicts.js';
import { calibrationLines } from './calibration-lines.js';
import { calibrationFileName, isOfOneTask, readLabelFile, storedLabels } from './stored-labels.js';

/**
 * Calibrates every judge by the answers of people, shows the records, and stores each beside those of
 * `calibrate`, as `JUDGE.answers.json`.
 *
 * @returns The exit code: 1 if the answers say nothing about a judge.
 * @throws ReviewLoopError `labels_invalid`
 */
export async function calibrateFromAnswers(
  { io, store }: StoredCall,
  { labels: file, format }: { readonly labels?: string | undefined; readonly format: string },
): Promise<number> {
  const labels = [
    ...(await storedLabels(store)).labels,
    ...(file === undefined ? [] : await readLabelFile(io, file)),
  ];
  const { unused } = decidedVerdicts(labels);
  const found = calibrationOfDecisions(labels).filter(({ judge }) => !isOfOneTask(judge.id));
  const judges = new Map<string, Calibration[]>();
  for (const calibration of found) {
    const { id } = calibration.judge;
    judges.set(id, [...(judges.get(id) ?? []), calibration]);
  }
  await store.files.prepare();
  const kept: string[] = [];
  for (const [id, calibrations] of judges) {
    const path = join('calibration', `${calibrationFileName(id)}.answers.json`);
    await store.files.write(path, `${JSON.stringify(calibrations, null, 2)}\n`);
    kept.push(store.files.shown(io.cwd, path));
  }
  if (format === 'json')
    await io.out(`${terminalSafeJson({ schemaVersion: 1, calibrations: found, unused, kept })}\n`);
  else
    await io.out(
      `${[
        ...(found.length === 0 ? [nothingDecided] : []),
        ...found.flatMap((calibration) => calibrationLines(calibration, io)),
        unusedLine(unused),
        ...kept.map((path) => oneLine(`stored: ${path}`)),
      ].join('\n')}\n`,
    );
  return found.length === 0 ? 1 : 0;
}

const nothingDecided =
  'no answer of a person is about the verdict of a judge: ' +
  'answer reviews with `reviewloop answer ID decide CRITERION=yes`, or name a file with --labels';

/** Returns what was not used, in words. */
function unusedLine({ overridden, contradictory, repeated, unattributed }: UnusedLabels): string {
  return [
    `not used: ${plural(overridden, 'override')}`,
    `${contradictory} contradictory`,
    `${repeated} repeated`,
    `${unattributed} about no single judge`,
  ].join(', ');
}
