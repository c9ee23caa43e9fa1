import { resolve } from 'node:path';
import type { Io } from '../../cli-kit/io.js';
import { plural } from '../../core/plural.js';
import { writeFileAtomic } from '../../node/files.js';
import { shownPath } from '../../node/mounted-folder.js';
import { storedLabels } from './stored-labels.js';

/**
 * Writes the answers of people in stored runs as labels.
 *
 * @param target - A file, or - for the standard output.
 * @returns The exit code.
 */
export async function exportLabels(io: Io, folder: string, target: string): Promise<number> {
  const { labels, lost } = await storedLabels(folder);
  const text = labels.map((label) => `${JSON.stringify(label)}\n`).join('');
  if (target === '-') await io.out(text);
  else await writeFileAtomic(resolve(io.cwd, target), text);
  const good = labels.filter(({ label }) => label === 'pass').length;
  const missing =
    lost === 0 ? '' : `; skipped ${plural(lost, 'answer')} about versions that were not stored`;
  io.err(
    [
      plural(labels.length, 'label'),
      `(${good} pass, ${labels.length - good} fail)`,
      `from ${shownPath(io.cwd, folder)}${missing}
`,
    ].join(' '),
  );
  return 0;
}
