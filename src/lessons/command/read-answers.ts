import { dirname, resolve } from 'node:path';
import { readLabelFile } from '../../calibration/command/read-label-file.js';
import { storedLabels } from '../../calibration/command/stored-labels.js';
import type { ReadLabel } from '../../calibration/labels.js';
import { type Learned, learnFromDecisions } from '../../calibration/learn-from-decisions.js';
import type { Io } from '../../cli-kit/io.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { loadConfig } from '../../config/load-config.js';
import type { RejectionReason } from '../draft-from-reasons.js';

/** Where answers of people are read. */
export interface AnswerPlaces {
  readonly store: StoreHandle;
  /** A file of labels; undefined takes that of `learn` in the configuration. */
  readonly labels: string | undefined;
}

/** What people answered: what it says about judges, and why they rejected work. */
export interface ReadAnswers {
  readonly learned: Learned;
  readonly reasons: readonly RejectionReason[];
}

/**
 * Reads the answers of people in stored runs and in a file of labels.
 *
 * @throws ReviewLoopError `labels_invalid`, `config_invalid`, `config_unreadable`
 */
export async function readAnswers(
  io: Io,
  { store, labels: named }: AnswerPlaces,
): Promise<ReadAnswers> {
  const { config, file } = await loadConfig(io.cwd);
  const { labels, ...bars } = typeof config.learn === 'object' ? config.learn : {};
  const configured =
    labels === undefined
      ? undefined
      : resolve(dirname(resolve(io.cwd, file ?? 'reviewloop.config.js')), labels);
  const path = named ?? configured;
  const all = [
    ...(await storedLabels(store)).labels,
    ...(path === undefined ? [] : await readLabelFile(io, path)),
  ];
  return { learned: learnFromDecisions(all, bars), reasons: all.flatMap(reasonOf) };
}

/** Only who rejects says what is wrong; who overrides says why that does not matter. */
function reasonOf({ id, label, overridden, reason }: ReadLabel): RejectionReason[] {
  if (label === 'pass' || overridden === true || reason === undefined) return [];
  return [{ run: id.split(':')[0] ?? id, reason }];
}
