import { resolve } from 'node:path';
import type { Io } from '../../cli-kit/io.js';
import { ReviewLoopError } from '../../core/errors.js';
import { readTextFile, textOf } from '../../node/files.js';
import { calibrationErrors } from '../errors.js';
import { type ReadLabel, readLabels } from '../labels.js';

const mostBytes = 200_000_000;

/**
 * Reads a file of labels.
 *
 * @param file - A file, or - for the standard input.
 * @throws ReviewLoopError `labels_invalid`
 */
export async function readLabelFile(io: Io, file: string): Promise<ReadLabel[]> {
  const shown = file === '-' ? 'standard input' : file;
  const read =
    file === '-'
      ? textOf(await io.readStdin(mostBytes))
      : await readTextFile(resolve(io.cwd, file), { shown, maxBytes: mostBytes });
  if (read.kind !== 'text')
    throw new ReviewLoopError(calibrationErrors.labels_invalid, `${shown} is not a UTF-8 text`, {
      value: file,
    });
  return readLabels(read.text, shown);
}
