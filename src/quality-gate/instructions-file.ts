import { placeIn, type Root } from '../node/inside-root.js';
import { writeInIgnoredFolder } from '../node/store-file.js';
import { safeId } from './gate-state-store.js';

/** The folder of DeepWork's quality gate for instructions, below the root. */
export const defaultInstructionsFolder = '.deepwork/tmp';

/** Returns the path of a step's instructions, relative to the root. */
export function instructionsPath(folder: string, sessionId: string, stepId: string): string {
  return `${folder}/quality_review_${safeId(sessionId)}_${safeId(stepId)}.md`;
}

/**
 * Writes a file of instructions. Earlier instructions stay beside it, numbered. Git ignores a new
 * or empty folder, because only the reviewer may read the token of a review. They never leave the
 * root, even if outputs may.
 *
 * @throws ReviewLoopError `output_unwritable`, `path_outside`
 */
export async function writeInstructions(root: Root, path: string, text: string): Promise<void> {
  const { path: place } = placeIn({ ...root, open: false }, path);
  await writeInIgnoredFolder(place, text, (number) => place.replace(/\.md$/, `.${number}.md`));
}
