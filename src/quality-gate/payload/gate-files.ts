import { hashText } from '../../core/hash.js';
import { placeIn, type Root, rootOf } from '../../node/inside-root.js';
import { safeName } from '../../node/safe-path.js';
import { readStored, writeInIgnoredFolder, writeStored } from '../../node/stored-file.js';

/** Where seed 000 keeps its instructions, below the root. */
export const defaultInstructionsFolder = '.deepwork/tmp';

/** The path of the instructions of a step, relative to the root. Ids lead nowhere else, and different ones stay different. */
export function instructionsPath(folder: string, sessionId: string, stepId: string): string {
  return `${folder}/quality_review_${safeId(sessionId)}_${safeId(stepId)}.md`;
}

/** An id as a part of a file name. */
export function safeId(id: string): string {
  const safe = safeName(id.replace(/[^\w.-]/g, '_')).slice(0, 100);
  return safe === id ? id : `${safe}-${hashText(id).slice(0, 8)}`;
}

/**
 * Writes the instructions whole or not at all. What stood there before is kept beside it, numbered. A folder that was new or empty is
 * kept out of version control: the token of a review is nobody else's.
 *
 * @throws ReviewLoopError `output_unwritable`, `path_outside`
 */
export async function writeInstructions(root: Root, path: string, text: string): Promise<void> {
  const { path: place } = placeIn(root, path);
  await writeInIgnoredFolder(place, text, (number) => place.replace(/\.md$/, `.${number}.md`));
}

/** Keeps the state of a gate between calls and processes. */
export interface GateStateStore {
  /** What was saved last; `undefined` where nothing was. */
  readonly load: () => Promise<unknown>;
  /** Resolves when the state will survive. */
  readonly save: (state: unknown) => Promise<void>;
}

/**
 * The state of a gate in a JSON file, which is written whole or not at all. One process at a time may use it.
 *
 * @example
 * ```ts
 * const session = new GateSession({ gate, job, state: gateStateFile('.reviewloop/gates/session-1.json') });
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

/** What is no JSON is handed on as it is, and refused as a state. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The folder that paths are relative to. */
export function gateRoot(path: string | undefined, open: boolean): Root {
  return rootOf(path ?? '.', open);
}
