import { resolve } from 'node:path';
import { plural } from '../../../core/plural.js';
import { writeFileAtomic } from '../../../node/files.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import {
  calibrationOfDecisions,
  decidedVerdicts,
} from '../../../products/calibration/decided-verdicts.js';
import { isOfOneTask } from '../../../products/calibration/learn-from-decisions.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { tell } from '../../cli-kit/io.js';
import type { calibrateFlags } from './calibration-flags.js';
import { calibrationLines } from './calibration-lines.js';
import { calibrationFileName, keepRecord, readLabelFile, storedLabels } from './stored-labels.js';

export async function exportLabels({ io, store }: StoredCall, target: string): Promise<number> {
  const { labels, lost } = await storedLabels(store);
  const text = labels.map((label) => `${JSON.stringify(label)}\n`).join('');
  if (target === '-') await io.out(text);
  else await writeFileAtomic(resolve(io.cwd, target), text);
  const good = labels.filter(({ label }) => label === 'pass').length;
  const counts = `${plural(labels.length, 'label')} (${good} pass, ${labels.length - good} fail)`;
  const missing =
    lost === 0 ? '' : `; skipped ${plural(lost, 'answer')} about versions that were not stored`;
  io.err(`${counts} from ${store.files.shown(io.cwd)}${missing}\n`);
  return 0;
}

/**
 * Shows the records, and stores each beside those of `calibrate`, as `JUDGE.answers.json`.
 *
 * @returns The exit code: 1 if the answers say nothing about a judge.
 */
export async function calibrateFromAnswers(
  { io, store }: StoredCall,
  { labels: file, format }: Pick<SettingsOf<typeof calibrateFlags>, 'labels' | 'format'>,
): Promise<number> {
  const labels = [
    ...(await storedLabels(store)).labels,
    ...(file === undefined ? [] : await readLabelFile(io, file)),
  ];
  const { unused } = decidedVerdicts(labels);
  const found = calibrationOfDecisions(labels).filter(({ judge }) => !isOfOneTask(judge.id));
  const kept: string[] = [];
  for (const id of new Set(found.map(({ judge }) => judge.id))) {
    const name = `${calibrationFileName(id)}.answers`;
    const record = found.filter(({ judge }) => judge.id === id);
    kept.push(await keepRecord(store, io.cwd, { name, record }));
  }
  const { overridden, contradictory, repeated, unattributed } = unused;
  await tell(io, format, {
    data: { calibrations: found, unused, kept },
    lines: [
      ...(found.length === 0 ? [nothingDecided] : []),
      ...found.flatMap((calibration) => calibrationLines(calibration, io)),
      `not used: ${plural(overridden, 'override')}, ${contradictory} contradictory, ` +
        `${repeated} repeated, ${unattributed} about no single judge`,
      ...kept.map((path) => oneLine(`stored: ${path}`)),
    ],
  });
  return found.length === 0 ? 1 : 0;
}

const nothingDecided =
  'no answer of a person is about the verdict of a judge: ' +
  'answer reviews with `reviewloop answer ID decide CRITERION=yes`, or name a file with --labels';
