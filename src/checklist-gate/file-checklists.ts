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
import { decodeChecklist, encodeChecklist } from './state-format.js';

/** Options of {@link fileChecklists}. */
export interface ChecklistFileOptions {
  /**
   * Milliseconds that a change waits for the changes of other processes; above 0. The default
   * outlasts a process that died while it took the lock on a file system without hard links.
   *
   * @default 150000
   */
  readonly waitMs?: number | undefined;
  /** The clock for lock timeouts. @default the system clock */
  readonly clock?: Clock | undefined;
  /** Receives a warning for each oddity in a file, such as a missing severity. @default silent */
  readonly logger?: Logger | undefined;
}

/** Far above any checklist. */
const maxBytes = 50_000_000;

/**
 * Creates a store that keeps each phase in `qr-{phase}.json` of a directory. Any number of
 * processes can use the directory. Each change takes a lock beside the file and replaces the file
 * as a whole. An unreadable file is never replaced.
 *
 * @param directory - The state directory; the first state creates it.
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const store = fileChecklists('.reviewloop/qr');
 * const gate = new ChecklistGate({ phase: 'plan-code', decompose: planCode(), store });
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
  // the queue orders the changes of this process; the lock is for other processes
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

/** The phase becomes part of a path. */
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
        'checklist_corrupt',
        `QR state file ${where} is corrupt: it is not a text file`,
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
    throw unavailable(`cannot read QR state file ${where}: ${messageOf(error)}`, error);
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
      throw unavailable(`QR state file ${where} was locked for ${place.waitMs} ms (waitMs)`);
    try {
      const before = await read(place, phase);
      const next = change(before);
      if (next === before) return next;
      const text = encodeChecklist(next);
      // a state that could not be read back must not be written
      const checked = decodeChecklist(text, { phase, where });
      if (Buffer.byteLength(text) > maxBytes)
        throw unavailable(`QR state file ${where} would exceed ${maxBytes} bytes`);
      if (!(await lock.isHeld()))
        throw unavailable(`another process took the lock of ${where} during the change`);
      await writeDurably(where, text);
      return checked;
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (isReviewError(error)) throw error;
    throw unavailable(`cannot write QR state file ${where}: ${messageOf(error)}`, error);
  }
}

function unavailable(what: string, cause?: unknown): ReviewLoopError {
  return new ReviewLoopError('checklist_unavailable', what, { cause, retryable: true });
}
