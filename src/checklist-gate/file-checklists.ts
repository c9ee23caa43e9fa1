import { join, resolve } from 'node:path';
import { isReviewError, messageOf, ReviewLoopError } from '../core/errors.js';
import { checkKeys, checkPositive, invalid } from '../core/options.js';
import { isMissing, makeFolders, writeDurably } from '../node/durable.js';
import { readTextFile } from '../node/files.js';
import { waitForLock } from '../node/wait-for-lock.js';
import { type Clock, systemClock } from '../ports/clock.js';
import { type Logger, silentLogger } from '../ports/logger.js';
import { type ChecklistPhase, ChecklistPhaseSchema, type ChecklistState } from './checklist.js';
import type { ChecklistStore } from './checklist-store.js';
import { checklistErrors } from './errors.js';
import { decodeChecklist, encodeChecklist } from './state-format.js';

/** How the state files of checklists are read and written. */
export interface ChecklistFileOptions {
  /** How long one change waits for the changes of others; the default outlasts one that was killed as it took the lock where the file system has no hard links. @default 150000 */
  readonly waitMs?: number | undefined;
  /** @default the machine's */
  readonly clock?: Clock | undefined;
  /** Told what is odd in a file. @default silent */
  readonly logger?: Logger | undefined;
}

/** No checklist needs more. */
const maxBytes = 50_000_000;

/**
 * Keeps the state of each phase in `qr-{phase}.json` of a directory, for any number of processes at once. A change is made under a
 * lock that is never the file itself, and the file is there whole or not at all. A file that cannot be read is never replaced.
 *
 * @param directory - The state directory; made with the first state.
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const gate = new ChecklistGate({ phase: 'plan-code', decompose: planCode(), store: fileChecklists('.reviewloop/qr') });
 * ```
 */
export function fileChecklists(
  directory: string,
  options: ChecklistFileOptions = {},
): ChecklistStore {
  if (typeof directory !== 'string' || directory === '')
    throw invalid('directory', 'the path of a folder', directory);
  checkKeys('fileChecklists', options, ['waitMs', 'clock', 'logger']);
  const { waitMs = 150_000, clock = systemClock, logger = silentLogger } = options;
  checkPositive('waitMs', waitMs);
  const place = { folder: resolve(directory), clock, waitMs, logger };
  // one change of this process after another: the lock is for other processes
  let turn: Promise<unknown> = Promise.resolve();
  return {
    read: async (phase) => read(place, checkedPhase(phase)),
    update: async (phase, change) => {
      const changed = turn.then(() => update(place, checkedPhase(phase), change));
      turn = changed.catch(() => undefined);
      return changed;
    },
  };
}

interface Place {
  readonly folder: string;
  readonly clock: Clock;
  readonly waitMs: number;
  readonly logger: Logger;
}

/** A phase is part of a path. */
function checkedPhase(phase: ChecklistPhase): ChecklistPhase {
  const { data } = ChecklistPhaseSchema.safeParse(phase);
  if (data === undefined)
    throw invalid('phase', `one of ${ChecklistPhaseSchema.options.join(', ')}`, phase);
  return data;
}

function pathOf({ folder }: Place, phase: ChecklistPhase): string {
  return join(folder, `qr-${phase}.json`);
}

async function read(place: Place, phase: ChecklistPhase): Promise<ChecklistState | undefined> {
  const where = pathOf(place, phase);
  try {
    const content = await readTextFile(where, { maxBytes });
    if (content.kind !== 'text')
      throw new ReviewLoopError(
        checklistErrors.checklist_corrupt,
        `QR state file ${where} is corrupt: it is no text`,
        { value: where },
      );
    return decodeChecklist(content.text, {
      phase,
      where,
      warn: (message) => place.logger.warn({ file: where }, message),
    });
  } catch (error) {
    if (error instanceof ReviewLoopError && isMissing(error.cause)) return undefined;
    if (isReviewError(error) && error.code.startsWith('checklist_')) throw error;
    throw unavailable(`QR state file ${where} cannot be read: ${messageOf(error)}`, error);
  }
}

async function update(
  place: Place,
  phase: ChecklistPhase,
  change: (state: ChecklistState | undefined) => ChecklistState,
): Promise<ChecklistState> {
  const where = pathOf(place, phase);
  const folder = join(place.folder, `.qr-${phase}.lock`);
  try {
    await makeFolders(folder);
    const lock = await waitForLock(folder, place);
    if (lock === undefined)
      throw unavailable(`QR state file ${where} was in use for ${place.waitMs} ms`);
    try {
      const before = await read(place, phase);
      const next = change(before);
      if (next === before) return next;
      const text = encodeChecklist(next);
      // what could not be read again must not be written
      const checked = decodeChecklist(text, { phase, where });
      if (Buffer.byteLength(text) > maxBytes)
        throw unavailable(`QR state file ${where} would become larger than ${maxBytes} bytes`);
      if (!(await lock.isHeld()))
        throw unavailable(`another process took ${where} over while this one was silent`);
      await writeDurably(where, text);
      return checked;
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (isReviewError(error)) throw error;
    throw unavailable(`QR state file ${where} cannot be written: ${messageOf(error)}`, error);
  }
}

function unavailable(what: string, cause?: unknown): ReviewLoopError {
  return new ReviewLoopError(checklistErrors.checklist_unavailable, what, {
    cause,
    retryable: true,
  });
}
