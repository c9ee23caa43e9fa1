import { readFile } from 'node:fs/promises';
import { extname, relative } from 'node:path';
import { lilconfig } from 'lilconfig';
import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../kernel/errors.js';
import type { Config } from './config.js';
import { ConfigSchema, configKeys } from './config-schema.js';
import { loadModule } from './load-module.js';
import { type Locate, locateIn, locateInCode } from './locate.js';
import { parseData } from './parse-data.js';

/** A configuration and the file that it comes from. */
export interface LoadedConfig {
  readonly config: Config;
  /** `undefined` when there is none. */
  readonly file: string | undefined;
}

const extensions = ['.js', '.mjs', '.ts', '.json', '.yaml', '.yml'] as const;

/** The names under which a configuration is looked for, upward from the working directory. */
export const configFiles = extensions.map((extension) => `reviewloop.config${extension}`);

/**
 * Loads the configuration: the file given, else the first that is found upward from `cwd`.
 *
 * @throws ReviewLoopError `config_unreadable`, `config_invalid`, `peer_missing`
 */
export async function loadConfig(cwd: string, file?: string): Promise<LoadedConfig> {
  const loader = (path: string): Promise<unknown> => loadFile(path, shownFrom(cwd, path));
  const search = lilconfig('reviewloop', { searchPlaces: configFiles, cache: false, loaders: { ...Object.fromEntries(extensions.map((extension) => [extension, loader])), noExt: loader } });
  const found = file === undefined ? await search.search(cwd) : { filepath: file, config: await loader(file) };
  if (found === null) return { config: {}, file: undefined };
  const shown = shownFrom(cwd, found.filepath);
  return { config: checkedConfig(found.config, shown, await locatorOf(found.filepath)), file: shown };
}

async function loadFile(path: string, shown: string): Promise<unknown> {
  const extension = extname(path);
  if (!['.json', '.yaml', '.yml'].includes(extension)) return (await loadModule(path, shown))['default'];
  return parseData(await readConfig(path, shown), { shown, json: extension === '.json' });
}

async function readConfig(path: string, shown: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new ReviewLoopError('config_unreadable', `${shown} cannot be read: ${messageOf(error)}`, { cause: error, value: shown });
  }
}

async function locatorOf(path: string): Promise<Locate> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return ['.json', '.yaml', '.yml'].includes(extname(path)) ? locateIn(text) : locateInCode(text);
}

/**
 * A configuration whose every part is what it should be.
 *
 * @throws ReviewLoopError `config_invalid` that names file, line and key
 */
export function checkedConfig(given: unknown, shown: string, locate: Locate): Config {
  const parsed = ConfigSchema.safeParse(given);
  // the values themselves go on, not copies: instances keep their prototypes
  if (parsed.success) return given as Config;
  const problems = parsed.error.issues.flatMap((issue) => problemsOf(issue)).map(({ path, what }) => `${at(shown, locate(path))}: ${what}`);
  throw new ReviewLoopError('config_invalid', problems.join('; '), { cause: parsed.error, value: given });
}

function problemsOf(issue: z.core.$ZodIssue): { readonly path: readonly PropertyKey[]; readonly what: string }[] {
  if (issue.code === 'unrecognized_keys') {
    const known = issue.path.length === 0 ? `; the keys are ${configKeys.join(', ')}` : '';
    return issue.keys.map((key) => ({ path: [...issue.path, key], what: `unknown key \`${z.core.toDotPath([...issue.path, key])}\`${known}` }));
  }
  const where = issue.path.length === 0 ? '' : `\`${z.core.toDotPath(issue.path)}\`: `;
  return [{ path: issue.path, what: `${where}${issue.message}` }];
}

function at(shown: string, line: number | undefined): string {
  return line === undefined ? shown : `${shown}:${line}`;
}

function shownFrom(cwd: string, path: string): string {
  return relative(cwd, path) || path;
}
