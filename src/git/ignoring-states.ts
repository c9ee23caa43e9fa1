import { digestOfBytes, readSmallFile } from '../node/files.js';
import { type GitPlace, runGit } from './git-command.js';
import { asInput, gitFields, nameText } from './git-fields.js';
import type { Repository } from './repository.js';

/** The largest file of ignore rules that is compared by its rules, in bytes. */
const mostBytes = 1_000_000;

/**
 * Returns the states of what makes git ignore or convert files although no tracked file says so, by
 * path: files of rules that belong to the clone or that are ignored, and folders that ignore
 * themselves.
 */
export async function ignoringStates(
  place: GitPlace,
  { top, exclude, attributes }: Repository,
): Promise<Record<string, string>> {
  const states: Record<string, string> = {};
  const [named, selfIgnored] = await Promise.all([namedRules(place), selfIgnoredIn(place)]);
  for (const path of [exclude, attributes, named].filter((one) => one !== '')) {
    const state = await rulesIn(path.startsWith('/') ? path : `${place.cwd}/${path}`);
    const name = path.startsWith(`${top}/`) ? path.slice(top.length + 1) : path;
    if (state !== undefined) states[name] = state;
  }
  for (const name of selfIgnored)
    states[name] = (await rulesIn(`${place.cwd}/${name}`)) ?? 'ignores itself';
  return states;
}

/** Returns the path of the rules that git reads in every repository. */
async function namedRules(place: GitPlace): Promise<string> {
  const fallback = '~/.config/git/ignore';
  const args = ['config', '--type=path', '--default', fallback, '--get', 'core.excludesFile'];
  return (await runGit(args, place)).stdout.trimEnd();
}

/** Returns a digest of the rules in a file; `undefined` if it has none. */
async function rulesIn(path: string): Promise<string | undefined> {
  const text = (await readSmallFile(path, mostBytes)) ?? '';
  const rules = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return rules.length === 0 ? undefined : digestOfBytes(rules.join('\n'));
}

/** Returns the ignored folders that no rule outside of them ignores, and ignored files of rules. */
async function selfIgnoredIn(place: GitPlace): Promise<string[]> {
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  // with its final slash, git would ask the rules inside of the folder
  const names = await gitFields(args, place);
  const files = names.filter((name) => /(^|\/)\.git(?:ignore|attributes)$/.test(name));
  const folders = names.flatMap((name) =>
    name.endsWith('/') && !/(^|\/)\.reviewloop\//.test(name) ? [name.slice(0, -1)] : [],
  );
  if (folders.length === 0) return files.map(nameText);
  const chunks: Uint8Array[] = [];
  await runGit(['check-ignore', '--stdin', '-z'], {
    ...place,
    input: asInput(folders),
    onOutput: (chunk) => void chunks.push(chunk),
  });
  const ignored = new Set(Buffer.concat(chunks).toString('latin1').split('\0'));
  return [...files, ...folders.filter((name) => !ignored.has(name))].map(nameText);
}
