import { dirname, join, relative, resolve } from 'node:path';
import { acceptedName } from '../../cli-kit/criteria/accepted-file.js';
import { requirementsPath } from '../../cli-kit/inputs/read-task.js';
import { configFiles } from '../../config/load-config.js';
import { mapBounded } from '../../core/map-bounded.js';
import { foldersUpFrom } from '../../hooks/project-root.js';
import { readSmallFile } from '../../node/files.js';
import {
  importedFiles,
  isCode,
  isFolder,
  judgingState,
  namesIn,
  packageFolder,
} from './judging-state.js';
import { isScript, scriptsOf, wordsIn } from './judging-words.js';

/** The settings of agents that start the gate. */
const agentFiles = [
  ...['settings.json', 'settings.local.json'].map((name) => `.claude/${name}`),
  ...['.codex/hooks.json', '.codex/config.toml', '.gemini/settings.json', '.cursor/hooks.json'],
  '.github/hooks/reviewloop.json',
];
const gateFiles = [acceptedName, 'reviewloop.hook.mjs', ...agentFiles];

/** What programs read without being told. */
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

  /** Adds what configurations import, and what they and these modules name. */
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

  /** Returns the folders that words name, such as the `cwd` of a command. */
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

  /** Adds the files that words name, in any of the folders. Scripts of a shell name more. */
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

  /** Adds what the programs of commands read, and the files that their scripts name. */
  async #commands(words: ReadonlySet<string>, folders: readonly string[]): Promise<void> {
    const places = new Set(folders);
    for (const folder of folders) places.add(await packageFolder(folder));
    for (const place of places) {
      const names = (await namesIn(place)).filter((name) => manifests.test(name));
      await this.#add(names.map((name) => join(place, name)));
      const scripts = scriptsOf(await textOf(join(place, 'package.json')), words);
      for (const name of names.filter((one) => /makefile$/i.test(one) && words.has('make')))
        scripts.push(...wordsIn(name, await textOf(join(place, name))));
      await this.#named(scripts, [place]);
    }
  }

  /** Adds the states of files that exist; returns those that were not known. */
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
