import { ReviewLoopError } from '../../core/errors.js';
import { hashText } from '../../core/hash.js';
import { jsonOrText } from '../../core/json-or-text.js';
import { mutex } from '../../core/mutex.js';
import { unwritableFile } from '../../node/files.js';
import { safeName } from '../../node/inside-root.js';
import { type HeldLock, withLock } from '../../node/lock.js';
import { readStored, writeStored } from '../../node/store-file.js';
import { systemClock } from '../../ports/clock.js';

/** Stores the state of a gate session: `gateStateFile` or `gateStateMemory`. */
export interface GateStateStore {
  /** Returns the last saved state, `undefined` before the first one. */
  readonly load: () => Promise<unknown>;
  /** Resolves once the state is durable. */
  readonly save: (state: unknown) => Promise<void>;
  /**
   * Runs a call of a session while no other one runs, of any process.
   *
   * @default the calls of one `GateSession` take turns
   */
  readonly alone?: (<Value>(work: () => Value | Promise<Value>) => Promise<Value>) | undefined;
}

/** Creates a store in the memory of this process. */
export function gateStateMemory(): GateStateStore {
  let saved: string | undefined;
  return {
    load: async () => (saved === undefined ? undefined : JSON.parse(saved)),
    save: async (state) => {
      saved = JSON.stringify(state);
    },
    alone: mutex(),
  };
}

/** How long to wait for a call of another process. */
const waitMs = 10_000;

/**
 * Creates a store that writes the state to a JSON file. Each save replaces the whole file. Any
 * number of processes may use it: a call waits for that of another process, at most ten seconds,
 * and then fails with `run_busy`.
 *
 * @example
 * ```ts
 * const state = gateStateFile('.reviewloop/gates/session-1.json');
 * const session = new GateSession({ gate, job, state });
 * ```
 */
export function gateStateFile(path: string): GateStateStore {
  const lock = path.replace(/(?:\.json)?$/, '.lock');
  const busy = (): ReviewLoopError =>
    new ReviewLoopError(
      'run_busy',
      `another process reviews in the session of ${path}; it was locked for ${waitMs} ms`,
      { value: path },
    );
  // calls of this process wait for each other as long as it takes
  const turn = mutex();
  let held: HeldLock | undefined;
  return {
    load: async () => {
      const text = await readStored(path);
      return text === undefined ? undefined : jsonOrText(text);
    },
    save: async (state) => {
      if (held !== undefined && !(await held.isHeld()))
        throw unwritableFile(path, 'another process took over its lock');
      await writeStored(path, `${JSON.stringify(state, null, 2)}\n`);
    },
    alone: (work) =>
      turn(() =>
        withLock(lock, { clock: systemClock, waitMs, busy }, async (taken) => {
          held = taken;
          try {
            return await work();
          } finally {
            held = undefined;
          }
        }),
      ),
  };
}

/** It has no path separators; different ids have different names. */
export function safeId(id: string): string {
  const safe = safeName(id.replace(/[^\w.-]/g, '_')).slice(0, 100);
  return safe === id ? id : `${safe}-${hashText(id).slice(0, 8)}`;
}
