import { digestOfBytes, readSmallFile } from '../node/files.js';
import { type GitPlace, gitOutput, runGit } from './git-command.js';
import { asInput, gitFields, nameText } from './git-fields.js';

/** The largest file of ignore rules that is compared by its rules, in bytes. */
const mostBytes = 1_000_000;

/**
 * Returns the states of what makes git ignore or convert files although no tracked file says so, by
 * path: files of rules that belong to the clone or that are ignored, and folders that ignore
 * themselves.
 */
export async function ignoringStates(place: GitPlace): Promise<Record<string, string>> {
  const states: Record<string, string> = {};
  const own = (await gitOutput(['rev-parse', '--git-path', 'info/exclude'], place)).trimEnd();
  const { stdout } = await runGit(['config', '--type=path', '--get', 'core.excludesFile'], place);
  const named = stdout.trimEnd() || (await defaultRules(place));
  const attributes = own.replace(/exclude$/, 'attributes');
  for (const path of [own, attributes, named].filter((one) => one !== '')) {
    const state = await rulesIn(path.startsWith('/') ? path : `${place.cwd}/${path}`);
    if (state !== undefined) states[path] = state;
  }
  for (const name of await selfIgnored(place))
    states[name] = (await rulesIn(`${place.cwd}/${name}`)) ?? 'ignores itself';
  return states;
}

/** Returns the path of the rules that git reads without a setting. */
async function defaultRules(place: GitPlace): Promise<string> {
  const args = ['config', '--type=path', '--default', '~/.config/git/ignore', '--get', 'none.none'];
  return (await runGit(args, place)).stdout.trimEnd();
}

/** Returns a digest of the rules in a file; `undefined` if it has none. */
async function rulesIn(path: string): Promise<string | undefined> {
  const text = (await readSmallFile(path, mostBytes)) ?? '';
  const rules = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return rules.length === 0 ? undefined : digestOfBytes(rules.join('\n'));
}

/** Returns the ignored folders that no rule outside of them ignores, and ignored files of rules. */
async function selfIgnored(place: GitPlace): Promise<string[]> {
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
