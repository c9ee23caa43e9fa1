import { hashText } from '../core/hash.js';
import { safeName } from '../node/safe-path.js';
import { readStored, writeStored } from '../node/stored-file.js';

/** Where the state of a gate session is stored: `gateStateFile` or `gateStateMemory`. */
export interface GateStateStore {
  /** Returns the last saved state, `undefined` before the first one. */
  readonly load: () => Promise<unknown>;
  /** Resolves once the state is durable. */
  readonly save: (state: unknown) => Promise<void>;
}

/** Creates a store that keeps the state in this process. */
export function gateStateMemory(): GateStateStore {
  let saved: string | undefined;
  return {
    load: async () => (saved === undefined ? undefined : JSON.parse(saved)),
    save: async (state) => {
      saved = JSON.stringify(state);
    },
  };
}

/**
 * Creates a store that keeps the state in a JSON file. Each save replaces the file as a whole. Only
 * one process at a time may use the file.
 *
 * @example
 * ```ts
 * const state = gateStateFile('.reviewloop/gates/session-1.json');
 * const session = new GateSession({ gate, job, state });
 * ```
 */
export function gateStateFile(path: string): GateStateStore {
  return {
    load: async () => {
      const text = await readStored(path);
      return text === undefined ? undefined : parsed(text);
    },
    save: (state) => writeStored(path, `${JSON.stringify(state, null, 2)}\n`),
  };
}

/** Text that is not JSON is returned as it is; the session then refuses it as a state. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns an id as part of a file name: without path separators, and different for each id. */
export function safeId(id: string): string {
  const safe = safeName(id.replace(/[^\w.-]/g, '_')).slice(0, 100);
  return safe === id ? id : `${safe}-${hashText(id).slice(0, 8)}`;
}
