import { fileState, readSmallFile } from '../files.js';
import { asInput, type GitPlace, gitFields, nameText, runGit } from './git-command.js';
import type { Repository } from './repository.js';

/** A path that git ignores although it did not at the start, and the file of the rule. */
export interface HiddenPath {
  readonly path: string;
  readonly rules: string;
}

/** The largest file of ignore rules that is read, in bytes. */
const mostBytes = 1_000_000;

/**
 * Returns what makes git ignore or convert files although no tracked file says so: the rules in
 * files that belong to the clone or that are ignored, and folders that ignore themselves. Paths are
 * as in {@link rulesPath}.
 */
export async function ignoringStates(
  place: GitPlace,
  repository: Repository,
): Promise<Record<string, string>> {
  const { top, prefix } = repository;
  const states: Record<string, string> = {};
  const [named, found] = await Promise.all([namedRules(place), ignoredPaths(place)]);
  const files = found.flatMap(({ path }) => (gitFile.test(path) ? [prefix + path] : []));
  for (const file of [...outerRules(repository), named, ...files].filter((one) => one !== '')) {
    const rules = await rulesIn(placeOf(file, top));
    if (rules !== '') states[rulesPath(file, top)] = rules;
  }
  for (const { path, rule } of found)
    if (path.endsWith('/') && rule === undefined)
      states[prefix + path.slice(0, -1)] = 'ignores itself';
  return states;
}

const gitFile = /(^|\/)\.git(?:ignore|attributes)$/;

/** From the top of the working tree, absolute outside of it. */
function rulesPath(file: string, top: string): string {
  return file.startsWith(`${top}/`) ? file.slice(top.length + 1) : file;
}

function placeOf(path: string, top: string): string {
  return path.startsWith('/') ? path : `${top}/${path}`;
}

/** Returns the files of rules that are not in the folder: those of the clone, and of folders above. */
function outerRules({ prefix, exclude, attributes }: Repository): string[] {
  const above = prefix.split('/').slice(0, -1);
  const folders = above.map((_, index) =>
    above
      .slice(0, index)
      .map((part) => `${part}/`)
      .join(''),
  );
  return [
    exclude,
    attributes,
    ...folders.flatMap((folder) => [`${folder}.gitignore`, `${folder}.gitattributes`]),
  ];
}

/**
 * Returns the paths that git ignores because of rules that differ from those of the start. A rule
 * that excepts files (`!`) counts as hiding what it excepted if it is gone or stands elsewhere.
 *
 * @param differing - The files of rules that differ, by their paths as in {@link rulesPath}.
 * @param before - Returns the text of such a file at the start.
 */
export async function hiddenPaths(
  { place, repository: { top } }: { readonly place: GitPlace; readonly repository: Repository },
  differing: readonly string[],
  before: (path: string) => Promise<string>,
): Promise<HiddenPath[]> {
  if (differing.length === 0) return [];
  const hidden: HiddenPath[] = [];
  const isNew = new Map<string, (line: number) => boolean>();
  for (const rules of differing) {
    const old = linesOf(await before(rules));
    const text = await readSmallFile(placeOf(rules, top), mostBytes);
    if (lostException(old, linesOf(text ?? '')))
      hidden.push({ path: 'what an exception of it showed', rules });
    const known = new Set(old);
    const lines = text?.split('\n');
    isNew.set(rules, (line) => !known.has(lines?.[line - 1] ?? ''));
  }
  for (const { path, rule } of await ignoredPaths(place)) {
    if (rule === undefined) continue;
    const rules = rulesPath(rule.file, top);
    if (isNew.get(rules)?.(rule.line) === true) hidden.push({ path, rules });
  }
  return hidden;
}

/** Returns whether an exception (`!`) is gone, or other rules come after it. */
function lostException(old: readonly string[], now: readonly string[]): boolean {
  const kept = now.filter((line) => old.includes(line));
  return old.some((line) => line.startsWith('!')) && kept.join('\n') !== old.join('\n');
}

async function namedRules(place: GitPlace): Promise<string> {
  const fallback = '~/.config/git/ignore';
  const args = ['config', '--type=path', '--default', fallback, '--get', 'core.excludesFile'];
  return (await runGit(args, place)).stdout.trimEnd();
}

/** Returns the rules in a file, one in each line; '' if it has none; of a large file, its state. */
async function rulesIn(path: string): Promise<string> {
  const text = await readSmallFile(path, mostBytes);
  return text === undefined ? ((await fileState(path)) ?? '') : linesOf(text).join('\n');
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

interface IgnoredPath {
  /** A folder ends with a slash; what is in it is listed only if no rule ignores the folder. */
  readonly path: string;
  /** The rule that ignores the path; of a folder, only one outside of it. */
  readonly rule?: { readonly file: string; readonly line: number };
}

async function ignoredPaths(place: GitPlace): Promise<IgnoredPath[]> {
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  const listed = await gitFields(args, place);
  const names = listed.filter((name) => name !== './' && !/(^|\/)\.reviewloop\//.test(name));
  if (names.length === 0) return [];
  const chunks: Uint8Array[] = [];
  await runGit(['check-ignore', '--verbose', '--stdin', '-z'], {
    ...place,
    // with its final slash, git would ask the rules inside of the folder
    input: asInput(names.map((name) => name.replace(/\/$/, ''))),
    onOutput: (chunk) => void chunks.push(chunk),
  });
  const fields = Buffer.concat(chunks).toString('latin1').split('\0');
  const rules = new Map<string, { file: string; line: number }>();
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [file = '', line = '', , name = ''] = fields.slice(at, at + 4);
    rules.set(name, { file: nameText(file), line: Number(line) });
  }
  return names.map((name) => {
    const rule = rules.get(name.replace(/\/$/, ''));
    return { path: nameText(name), ...(rule !== undefined && { rule }) };
  });
}
