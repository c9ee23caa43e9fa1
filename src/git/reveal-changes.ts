import { type GitPlace, gitError, runGit } from './git-command.js';

/**
 * Makes git look at every file of an index, whatever flags of it say: `assume-unchanged` and
 * `skip-worktree` hide changes. A file that a sparse checkout left out stays left out.
 *
 * @param place - The scratch index is in its `env`: the flags of that index change.
 */
export async function revealChanges(place: GitPlace): Promise<void> {
  const entries = await namesOf(['ls-files', '--cached', '-v', '-z'], place);
  const marked = entries.flatMap((entry) => {
    const [tag = 'H'] = entry;
    return tag === 'H' ? [] : [{ tag, path: entry.slice(2) }];
  });
  const assumed = marked.filter(({ tag }) => tag !== tag.toUpperCase());
  const skipped = new Set(
    marked.filter(({ tag }) => tag.toUpperCase() === 'S').map(({ path }) => path),
  );
  await flag('--no-assume-unchanged', new Set(assumed.map(({ path }) => path)), place);
  if (skipped.size === 0) return;
  await flag('--no-skip-worktree', skipped, place);
  if (!(await isSparse(place))) return;
  const missing = await namesOf(['ls-files', '--deleted', '-z'], place);
  await flag('--skip-worktree', new Set(missing.filter((path) => skipped.has(path))), place);
}

/** Returns whether the checkout leaves files out. */
async function isSparse(place: GitPlace): Promise<boolean> {
  const { stdout } = await runGit(['config', '--type=bool', '--get', 'core.sparseCheckout'], place);
  return stdout.trim() === 'true';
}

/** Returns what git lists, with one character for each byte: names may not be UTF-8. */
async function namesOf(args: readonly string[], place: GitPlace): Promise<string[]> {
  const chunks: Uint8Array[] = [];
  const result = await runGit(args, { ...place, onOutput: (chunk) => void chunks.push(chunk) });
  if (result.exitCode !== 0) throw gitError(args, place, result);
  return Buffer.concat(chunks)
    .toString('latin1')
    .split('\0')
    .filter((name) => name !== '');
}

async function flag(option: string, paths: ReadonlySet<string>, place: GitPlace): Promise<void> {
  if (paths.size === 0) return;
  const args = ['update-index', option, '-z', '--stdin'];
  const input = Buffer.from([...paths].map((path) => `${path}\0`).join(''), 'latin1');
  const result = await runGit(args, { ...place, input });
  if (result.exitCode !== 0) throw gitError(args, place, result);
}
