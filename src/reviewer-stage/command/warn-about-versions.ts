import type { Io } from '../../cli-kit/io.js';
import { plural } from '../../core/plural.js';
import { filesInTwoVersions } from '../../git/revisions.js';
import { oneLine } from '../../terminal/sanitise.js';
import { diffRequest, type StageSettings } from './stage-flags.js';

/** The most files that the warning names. */
const mostNamed = 5;

/** Warns about files whose staged version is not the one in the folder: a review sees only one. */
export async function warnAboutVersions(io: Io, settings: StageSettings): Promise<void> {
  const { kind } = diffRequest(settings);
  if (kind === 'range') return;
  const { cwd, signal } = io;
  const files = await filesInTwoVersions(cwd, { paths: settings.paths, signal });
  if (files.length === 0) return;
  const more = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : '';
  const seen =
    kind === 'staged'
      ? 'this review sees the staged one'
      : 'this review sees the one in the folder; --staged reviews the other';
  io.err(
    `${oneLine(`warning: ${plural(files.length, 'file')} staged in another version than in the folder: ${files.slice(0, mostNamed).join(', ')}${more}; ${seen}`)}\n`,
  );
}
