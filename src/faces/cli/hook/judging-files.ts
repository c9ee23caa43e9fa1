import { readdir, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { mapBounded } from '../../../core/map-bounded.js';
import { digestOfBytes, isThere, readSmallFile } from '../../../node/files.js';
import { acceptedName } from '../../cli-kit/criteria/accepted-file.js';
import { requirementsPath } from '../../cli-kit/inputs/read-task.js';
import { configFiles } from '../../config/load-config.js';
import { foldersUpFrom } from '../../hooks/project-root.js';

const agentFiles = [
  ...['settings.json', 'settings.local.json'].map((name) => `.claude/${name}`),
  ...['.codex/hooks.json', '.codex/config.toml', '.gemini/settings.json', '.cursor/hooks.json'],
  '.github/hooks/reviewloop.json',
];

const gateFiles = [acceptedName, 'reviewloop.hook.mjs', ...agentFiles];

const manifests =
  /^(?:package\.json|(?:GNU)?[Mm]akefile|[Jj]ustfile|Taskfile\.ya?ml|pyproject\.toml|(?:setup|tox)\.\w+|conftest\.py|Cargo\.toml|build\.gradle(?:\.kts)?|pom\.xml|deno\.jsonc?|\.[\w-]*rc(?:\.\w+)?|\.?c[Ss]pell\.\w+|[\w.-]+\.config\.\w+|tsconfig[\w.-]*\.json)$/;

/** The longest text whose names are followed, in bytes, and the most files. */
const mostBytes = 1_000_000;

const mostFiles = 2000;

/**
 * Returns the states of the files that decide how a project is judged, by their paths from the
 * root: the configurations of all folders above, what they import and name, the task, the settings
 * of agents, and what the commands run. It reads texts and runs no code, so that it also works
 * before a session and for a broken configuration. Git may ignore these files.
 */
export async function judgingFiles(root: string): Promise<Record<string, string>> {
  const files = new JudgingFiles(root);
  await files.collect();
  return files.states();
}

class JudgingFiles {
  readonly #root: string;
  readonly #states = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
  }

  states(): Record<string, string> {
    const entries = [...this.#states].map(([path, state]) => [
      relative(this.#root, path).replaceAll('\\', '/'),
      state,
    ]);
    return Object.fromEntries(entries.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)));
  }

  async collect(): Promise<void> {
    const folders = foldersUpFrom(this.#root);
    const named = (names: readonly string[], places: readonly string[]): string[] =>
      places.flatMap((place) => names.map((name) => join(place, name)));
    const configs = await this.#add(named(configFiles, folders));
    await this.#add(named(gateFiles, folders));
    await this.#add(named(['TASK.md', requirementsPath('TASK.md')], [this.#root]));
    const nearest = folders.find((folder) => configs.some((path) => dirname(path) === folder));
    if (nearest === undefined) return;
    await this.#follow(
      configs.filter((path) => dirname(path) === nearest),
      nearest,
    );
  }

  async #follow(configs: readonly string[], folder: string): Promise<void> {
    const words = new Set<string>();
    const folders = new Set([folder, this.#root]);
    const open = [...configs];
    let runs = false;
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      const text = await textOf(path);
      const found = wordsIn(path, text);
      runs ||= /\b(?:command|lint|spelling|eslint|cspell)/i.test(text);
      for (const word of found) words.add(word);
      folders.add(dirname(path));
      if (!isCode(path)) continue;
      const imported = await importedFiles(path, found);
      const added = await this.#add(imported);
      open.push(...added.filter((file) => isCode(file) && !file.includes('node_modules')));
    }
    const places = [folder, this.#root, ...(await this.#foldersIn(words))];
    await this.#named(words, [...folders, ...places]);
    if (runs) await this.#commands(words, places);
  }

  async #foldersIn(words: ReadonlySet<string>): Promise<string[]> {
    const paths = [...words].map((word) => resolve(this.#root, word));
    const below = paths.filter(
      (path) => path.startsWith(`${this.#root}/`) && !path.includes('node_modules'),
    );
    const found = await mapBounded(below, 32, async (path) =>
      (await isFolder(path)) ? [path] : [],
    );
    return found.flat();
  }

  async #named(words: Iterable<string>, folders: readonly string[]): Promise<void> {
    const paths = [...words].flatMap((word) =>
      folders.flatMap((folder) => [
        resolve(folder, word),
        ...(/\.(?:md|txt)$/.test(word) ? [requirementsPath(resolve(folder, word))] : []),
        ...(/^[\w.@-]+$/.test(word) ? [join(folder, 'node_modules/.bin', word)] : []),
      ]),
    );
    for (const path of (await this.#add(paths)).filter(isScript))
      await this.#named(wordsIn(path, await textOf(path)), [dirname(path), ...folders]);
  }

  async #commands(words: ReadonlySet<string>, folders: readonly string[]): Promise<void> {
    const places = new Set(folders);
    for (const folder of folders) places.add(await packageFolder(folder));
    for (const place of places) {
      const found = await readdir(place).catch(() => []);
      const names = found.filter((name) => manifests.test(name));
      await this.#add(names.map((name) => join(place, name)));
      const scripts = scriptsOf(await textOf(join(place, 'package.json')), words);
      for (const name of names.filter((one) => /makefile$/i.test(one) && words.has('make')))
        scripts.push(...wordsIn(name, await textOf(join(place, name))));
      await this.#named(scripts, [place]);
    }
  }

  /** Skips files that do not exist; returns those that were not known. */
  async #add(paths: readonly string[]): Promise<string[]> {
    const unknown = [...new Set(paths)].filter((path) => !this.#states.has(path));
    const added = await mapBounded(unknown, 64, async (path) => {
      const state = await judgingState(path);
      if (state === undefined || this.#states.size >= mostFiles) return [];
      this.#states.set(path, state);
      return [path];
    });
    return added.flat();
  }
}

async function textOf(path: string): Promise<string> {
  return (await readSmallFile(path, mostBytes)) ?? '';
}

/** Of larger files, the size and the time are compared. */
const mostHashedBytes = 10_000_000;

/** Equal while the file stays the same; `undefined` if there is none. */
async function judgingState(path: string): Promise<string | undefined> {
  try {
    const { size, mtimeMs, mode } = await stat(path);
    if ((mode & 0o170000) !== 0o100000) return undefined;
    if (size > mostHashedBytes) return `${size} ${mtimeMs}`;
    const bytes = await readFile(path);
    return digestOfBytes(isAgentSettings(path) ? hooksIn(bytes.toString('utf8')) : bytes);
  } catch (error) {
    const missing = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return missing.includes(code) || code === '' ? undefined : code;
  }
}

function isAgentSettings(path: string): boolean {
  return /\/\.(?:claude|gemini)\/settings(?:\.local)?\.json$/.test(path);
}

/** Agents store more in their settings, such as what a person allowed; only hooks count. */
function hooksIn(text: string): string {
  try {
    const given: unknown = JSON.parse(text);
    const entries = typeof given === 'object' && given !== null ? Object.entries(given) : [];
    return JSON.stringify(entries.filter(([name]) => /hook/i.test(name)));
  } catch {
    return text;
  }
}

function isCode(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function packageFolder(folder: string): Promise<string> {
  for (let place = folder; ; place = dirname(place)) {
    if (await isThere(join(place, 'package.json'))) return place;
    if (dirname(place) === place) return folder;
  }
}

const endings = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.json', '/index.js', '/index.ts'];

async function importedFiles(module: string, words: readonly string[]): Promise<string[]> {
  const found = await mapBounded(words, 32, async (word) => {
    if (!/^\.{1,2}\//.test(word)) return packageFiles(module, word);
    const path = resolve(dirname(module), word);
    return endings
      .flatMap((ending) => [`${path}${ending}`, path.replace(/\.([cm]?)js$/, `.$1ts`)])
      .filter((one, index, all) => all.indexOf(one) === index);
  });
  return found.flat();
}

async function packageFiles(module: string, word: string): Promise<string[]> {
  const [name] = /^(?:@[\w.-]+\/)?[\w.-]+(?=\/|$)/.exec(word) ?? [];
  if (name === undefined) return [];
  for (let place = dirname(module); ; place = dirname(place)) {
    const manifest = join(place, 'node_modules', name, 'package.json');
    if (await isThere(manifest)) return [manifest, ...resolved(module, word)];
    if (dirname(place) === place) return [];
  }
}

function resolved(module: string, word: string): string[] {
  try {
    return [createRequire(module).resolve(word)];
  } catch {
    return [];
  }
}

/** A script for a shell or for make: its words may name files. */
function isScript(path: string): boolean {
  return /\.(?:ba|z|k)?sh$|^(?:GNU)?[Mm]akefile$/.test(basename(path));
}

/**
 * Words that may name files: what is quoted, whole and in parts, and all words of a format without
 * quotes. Comments name nothing.
 */
function wordsIn(path: string, text: string): string[] {
  const isPlain = isScript(path) || /\.ya?ml$/.test(path);
  const told = isPlain
    ? text.replace(/(^|\s)#.*$/gm, '$1')
    : text.replace(/\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|(^|[\s;,])\/\/.*$/gm, '$1');
  const quoted = [...told.matchAll(/(["'`])((?:\\.|(?!\1)[^\\\n]){1,1000})\1/g)].map(
    ([, , inner = '']) => inner,
  );
  const parts = (isPlain ? [told] : quoted).flatMap((one) => one.split(/[\s"'`,;:=()[\]{}<>|&$]+/));
  const words = [...quoted, ...parts].filter((word) => word.length > 0 && word.length < 300);
  return [...new Set(words)].filter((word) => !/^[./]*$|\0/.test(word)).slice(0, mostWords);
}

const mostWords = 5000;

function scriptsOf(json: string, words: ReadonlySet<string>): string[] {
  const started = new Set<string>();
  const known = new Set(words);
  const scripts = Object.entries(scriptsIn(json));
  for (let size = -1; size !== started.size; ) {
    size = started.size;
    for (const [name, script] of scripts) {
      if (!known.has(name.replace(/^(?:pre|post)/, '')) && !known.has(name)) continue;
      started.add(name);
      for (const word of wordsIn('script.sh', script)) known.add(word);
    }
  }
  return [...known].filter((word) => !words.has(word));
}

function scriptsIn(json: string): Record<string, string> {
  try {
    const given: unknown = JSON.parse(json);
    const scripts =
      typeof given === 'object' && given !== null && 'scripts' in given && given.scripts;
    return Object.fromEntries(
      Object.entries(scripts || {}).flatMap(([name, script]: [string, unknown]) =>
        typeof script === 'string' ? [[name, script]] : [],
      ),
    );
  } catch {
    return {};
  }
}
