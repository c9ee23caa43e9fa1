import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { checkedData } from '../../core/text/schema-problems.js';
import { isThere, readText } from '../../node/files.js';
import type { Config } from './config.js';
import { ConfigSchema } from './config-schema.js';
import { configErrors, type Locate, misfit } from './errors.js';
import { loadModule } from './load-module.js';

export interface LoadedConfig {
  readonly config: Config;
  /** The path of the file; `undefined` if no file was found. */
  readonly file: string | undefined;
}

const extensions = ['.js', '.mjs', '.ts', '.json', '.yaml', '.yml'] as const;

export const configFiles = extensions.map((extension) => `reviewloop.config${extension}`);

const agentFiles = ['.agent/config.yml', '.agent/config.yaml'];

/**
 * The given file, else the first one in `cwd` or a folder above it; none for `false`. With `agent`,
 * it otherwise uses the `reviewer` section of an `.agent/config.yml`.
 */
export async function loadConfig(
  cwd: string,
  file?: string | false,
  { agent = false }: { readonly agent?: boolean } = {},
): Promise<LoadedConfig> {
  const found =
    file === undefined
      ? await searched(cwd, agent)
      : file !== false && (await loadedFile(cwd, resolve(cwd, file)));
  if (!found) return { config: {}, file: undefined };
  const { filepath } = found;
  const shown = shownFrom(cwd, filepath);
  const config = isAgentFile(filepath) ? reviewerOf(found.config) : found.config;
  return { config: await checkedConfig(config, shown, () => locatorOf(filepath)), file: shown };
}

interface FoundConfig {
  readonly filepath: string;
  readonly config: unknown;
}

async function loadedFile(cwd: string, filepath: string): Promise<FoundConfig> {
  return { filepath, config: await loadFile(filepath, shownFrom(cwd, filepath)) };
}

async function searched(cwd: string, agent: boolean): Promise<FoundConfig | undefined> {
  const own = await nearest(cwd, configFiles);
  if (own !== undefined) return loadedFile(cwd, own);
  const other = agent ? await nearest(cwd, agentFiles) : undefined;
  if (other === undefined) return undefined;
  const found = await loadedFile(cwd, other);
  return reviewerOf(found.config).reviewer === undefined ? undefined : found;
}

/**
 * Looks in the folder, then in those above it, up to that of the user. One that is there and cannot
 * be read is found as well: it never counts as absent.
 */
async function nearest(cwd: string, names: readonly string[]): Promise<string | undefined> {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    for (const name of names) if (await isThere(join(folder, name))) return join(folder, name);
    if (folder === homedir() || folder === dirname(folder)) return undefined;
  }
}

function isAgentFile(path: string): boolean {
  return agentFiles.some((name) => `/${path.replaceAll('\\', '/')}`.endsWith(`/${name}`));
}

/** The configuration belongs to another program. */
function reviewerOf(config: unknown): { readonly reviewer?: unknown } {
  return typeof config === 'object' && config !== null && 'reviewer' in config
    ? { reviewer: config.reviewer }
    : {};
}

async function loadFile(path: string, shown: string): Promise<unknown> {
  const extension = extname(path);
  const text = await readConfig(path, { shown });
  if (!['.json', '.yaml', '.yml'].includes(extension))
    return (await loadModule(path, shown))['default'];
  const { parseData } = await import('./parse-data.js');
  return parseData(text, { shown, json: extension === '.json' });
}

async function locatorOf(path: string): Promise<Locate> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const { locateIn, locateInCode } = await import('./parse-data.js');
  return ['.json', '.yaml', '.yml'].includes(extname(path)) ? locateIn(text) : locateInCode(text);
}

export async function checkedConfig(
  given: unknown,
  shown: string,
  locator: () => Promise<Locate>,
): Promise<Config> {
  const checked = checkedData(ConfigSchema, given);
  // returns the values themselves, because copies of instances would lose their prototypes
  if (checked.success) return given as Config;
  throw misfit(checked, { shown, value: given, locate: await locator() });
}

function shownFrom(cwd: string, path: string): string {
  return relative(cwd, path) || path;
}

const largest = 5_000_000;

/** One that is empty or cannot be read never counts as absent. */
export async function readConfig(
  path: string,
  { shown, maxBytes = largest }: { readonly shown: string; readonly maxBytes?: number },
): Promise<string> {
  let text = '';
  let why = `cannot read ${shown}: it is empty`;
  let cause: unknown;
  try {
    text = await readText(path, { shown, maxBytes });
  } catch (error) {
    if (!isReviewError(error)) throw error;
    cause = error;
    why = messageOf(error);
  }
  if (text.trim() !== '') return text;
  throw new ReviewLoopError(configErrors.config_unreadable, why, { cause, value: shown });
}
