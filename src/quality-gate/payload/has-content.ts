import type { Root } from '../../node/inside-root.js';
import { readFiles } from '../../node/read-files.js';
import type { GateOutput } from './gate-outputs.js';

/** A file with more bytes has content, whatever they are. */
const mostBytes = 65_536;

/**
 * Returns whether outputs have content: a text or file with more than white space. Where all are
 * empty or cannot be read, there is nothing to review.
 *
 * @throws ReviewLoopError `path_outside`
 */
export async function hasContent(outputs: readonly GateOutput[], root: Root): Promise<boolean> {
  if (outputs.some(({ text }) => text.trim() !== '')) return true;
  for (const path of outputs.flatMap(({ paths }) => paths)) {
    let has = false;
    await readFiles(
      [path],
      (_, found) => {
        has = found.kind === 'text' ? found.text.trim() !== '' : isReadable(found.kind);
      },
      { root, mostBytes: () => mostBytes },
    );
    if (has) return true;
  }
  return false;
}

function isReadable(kind: 'binary' | 'left_out' | 'missing' | 'unreadable'): boolean {
  return kind === 'binary' || kind === 'left_out';
}
