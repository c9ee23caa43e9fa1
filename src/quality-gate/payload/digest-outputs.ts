import { hashText } from '../../core/hash.js';
import { canonicalJson } from '../../core/json.js';
import { digestFiles } from '../../node/digest-files.js';
import { placeIn, type Root } from '../../node/inside-root.js';
import type { GateOutput } from './outputs.js';

/**
 * The digest of everything that a step made, the contents of files included: equal only while nothing of it changed.
 *
 * @throws ReviewLoopError `path_outside`
 */
export async function digestOutputs(outputs: readonly GateOutput[], root: Root): Promise<string> {
  const parts: unknown[] = [];
  for (const { name, type, paths, text } of outputs)
    parts.push([name, type, text, paths, await digestFiles(paths, root)]);
  return hashText(canonicalJson(parts));
}

/**
 * The paths of outputs where there is nothing.
 *
 * @throws ReviewLoopError `path_outside`
 */
export function missingFiles(outputs: readonly GateOutput[], root: Root): readonly string[] {
  return outputs.flatMap(({ paths }) => paths.filter((path) => !placeIn(root, path).exists));
}
