import { join } from 'node:path';
import { isReviewError, messageOf, ReviewLoopError } from '../../../core/errors.js';
import { mutex } from '../../../core/mutex.js';
import { checkPositive, checkTable, invalid, type OptionTable } from '../../../core/options.js';
import { type LockedFile, lockedFile } from '../../../node/locked-file.js';
import { checkedFolder } from '../../../node/store-file.js';
import {
  type ChecklistPhase,
  ChecklistPhaseSchema,
  type ChecklistState,
} from '../../../ports/checklist/checklist-state.js';
import type { ChecklistStore } from '../../../ports/checklist/checklist-store.js';
import { storedChecklistErrors } from '../../../ports/checklist/errors.js';
import {
  corruptChecklist,
  decodeChecklist,
  encodeChecklist,
} from '../../../ports/checklist/state-format.js';
import { type Clock, systemClock } from '../../../ports/clock.js';
import { type Logger, silentLogger } from '../../../ports/logger.js';
import { portTable } from '../../../ports/port-table.js';

export interface ChecklistFileOptions {
  /**
   * The longest wait for changes of other processes, in milliseconds. The default outlasts a
   * process that was killed while it took the lock on a file system without hard links.
   * @default 150000
   */
  readonly waitMs?: number | undefined;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
  /** Receives warnings about unusual content of a file. @default silent */
  readonly logger?: Logger | undefined;
}

const table: OptionTable<ChecklistFileOptions> = {
  waitMs: checkPositive,
  clock: portTable.clock,
  logger: portTable.logger,
};

/** Largest state file, in bytes. */
const maxBytes = 50_000_000;

/**
 * Creates a store that writes the state of each phase to `qr-{phase}.json` in a directory. Any
 * number of processes may use it: each change takes a lock. After a crash the file contains the old
 * state or the new one. The store never replaces a file that it cannot read.
 *
 * @param directory - The state directory. The first state creates it.
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const gate = new ChecklistGate({
 *   phase: 'plan-code',
 *   decompose: planCode(),
 *   store: fileChecklists('.reviewloop/qr'),
 * });
 * ```
 */
export function fileChecklists(
  directory: string,
  options: ChecklistFileOptions = {},
): ChecklistStore {
  const folder = checkedFolder(directory);
  checkTable('fileChecklists', table, options);
  const { waitMs = 150_000, clock = systemClock, logger = silentLogger } = options;
  // changes of this process run one after another; the lock is for other processes
  const turn = mutex();
  const fileOf = (given: ChecklistPhase): LockedFile<ChecklistState> => {
    const phase = checkedPhase(given);
    const where = join(folder, `qr-${phase}.json`);
    const warn = (message: string): void => logger.warn({ file: where }, message);
    return lockedFile(where, {
      parse: (text) => decodeChecklist(text, { phase, where, warn }),
      format: (state) => encodeChecklist(state),
      malformed: (why) => corruptChecklist(where, why),
      lock: join(folder, `.qr-${phase}.lock`),
      ...{ waitMs, clock, maxBytes },
    });
  };
  return {
    read: async (phase) => {
      const file = fileOf(phase);
      return file.read().catch((error: unknown) => {
        throw asUnavailable(error);
      });
    },
    update: (phase, change) => turn(async () => updated(fileOf(phase), change)),
  };
}

/** A phase becomes part of a path. */
function checkedPhase(phase: ChecklistPhase): ChecklistPhase {
  const { data } = ChecklistPhaseSchema.safeParse(phase);
  if (data === undefined)
    throw invalid('phase', `one of ${ChecklistPhaseSchema.options.join(', ')}`, phase);
  return data;
}

/** An error of `change` stays as it is. */
async function updated(
  file: LockedFile<ChecklistState>,
  change: Parameters<ChecklistStore['update']>[1],
): Promise<ChecklistState> {
  let thrown: { readonly error: unknown } | undefined;
  try {
    return await file.update((state) => {
      try {
        return change(state);
      } catch (error) {
        thrown = { error };
        throw error;
      }
    });
  } catch (error) {
    throw thrown === undefined ? asUnavailable(error) : thrown.error;
  }
}

const fileErrors: readonly string[] = ['file_unreadable', 'file_too_large', 'output_unwritable'];

/** A failure of the file; all other errors stay unchanged. */
function asUnavailable(error: unknown): unknown {
  if (isReviewError(error) && !fileErrors.includes(error.code)) return error;
  return new ReviewLoopError(
    storedChecklistErrors.checklist_unavailable,
    `QR state: ${messageOf(error)}`,
    { cause: error, retryable: true },
  );
}
