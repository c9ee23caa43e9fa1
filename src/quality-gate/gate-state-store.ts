import { hashText } from '../core/hash.js';
import { jsonOrText } from '../core/json-or-text.js';
import { safeName } from '../node/safe-path.js';
import { readStored, writeStored } from '../node/stored-file.js';

/** Stores the state of a gate session: `gateStateFile` or `gateStateMemory`. */
export interface GateStateStore {
  /** Returns the last saved state, `undefined` before the first one. */
  readonly load: () => Promise<unknown>;
  /** Resolves once the state is durable. */
  readonly save: (state: unknown) => Promise<void>;
}

/** Creates a store in the memory of this process. */
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
 * Creates a store that writes the state to a JSON file. Each save replaces the whole file. Only one
 * process at a time may use the file.
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
      return text === undefined ? undefined : jsonOrText(text);
    },
    save: (state) => writeStored(path, `${JSON.stringify(state, null, 2)}\n`),
  };
}

/** Returns parsed JSON, or other text unchanged. The session then refuses the text as a state. */
/**
 * Returns a part of a file name for an id, without path separators. Different ids have different
 * names.
 */
export function safeId(id: string): string {
  const safe = safeName(id.replace(/[^\w.-]/g, '_')).slice(0, 100);
  return safe === id ? id : `${safe}-${hashText(id).slice(0, 8)}`;
}
