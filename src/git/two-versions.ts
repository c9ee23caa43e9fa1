import { gitOutput } from './git-command.js';
import { gitFields, nameText } from './git-fields.js';

/**
 * Returns the files whose staged version is neither the committed one nor the one in the folder. A
 * review sees one of the two.
 *
 * @throws ReviewLoopError as `gitOutput`
 */
export async function filesInTwoVersions(
  cwd: string,
  { paths, signal }: { readonly paths: readonly string[]; readonly signal: AbortSignal },
): Promise<string[]> {
  const place = { cwd, timeoutMs: 60_000, signal };
  const only = ['--name-only', '-z', '--', ...paths];
  const head = await gitOutput(['rev-parse', '--verify', '--quiet', 'HEAD'], place).catch(() => '');
  if (head === '') return [];
  const staged = await gitFields(['diff-index', '--cached', 'HEAD', ...only], place);
  if (staged.length === 0) return [];
  const edited = new Set(await gitFields(['diff-files', ...only], place));
  return staged.filter((name) => edited.has(name)).map(nameText);
}
