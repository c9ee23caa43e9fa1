import { dirname, relative, resolve, sep } from 'node:path';
import type { HonestWorkOptions } from '../../blocks/criteria/diff/honest-work.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { AllowedSecret } from '../../core/redact/allowed-secrets.js';
import { checkedData } from '../../core/text/schema-problems.js';
import { isThere } from '../../node/files.js';
import { repositoryAbove } from '../../node/folder-state.js';
import { SecretsBaselineSchema } from './config-parts.js';
import { configErrors, misfit } from './errors.js';
import { type LoadedConfig, readConfig } from './load-config.js';

export interface AllowedSecrets {
  readonly entries: readonly AllowedSecret[];
  /** The absolute path of the baseline. @default undefined none is configured */
  readonly baseline?: string | undefined;
}

const largestBaseline = 20_000_000;

/**
 * Adds those of the baseline. With `mayBeMissing`, a baseline that does not exist has no entries.
 */
export async function loadAllowedSecrets(
  cwd: string,
  { config, file }: LoadedConfig,
  { mayBeMissing = false }: { readonly mayBeMissing?: boolean } = {},
): Promise<AllowedSecrets> {
  const { allow = [], baseline } = config.secrets ?? {};
  const folder = folderOf(cwd, file);
  const own = entriesFrom(folder, allow);
  if (baseline === undefined) return { entries: own };
  const path = resolve(folder, baseline);
  if (mayBeMissing && !(await isThere(path))) return { entries: own, baseline: path };
  return { entries: [...own, ...(await readBaseline(cwd, path))], baseline: path };
}

export async function readBaseline(cwd: string, path: string): Promise<AllowedSecret[]> {
  const shown = relative(cwd, path) || path;
  if (!(await isThere(path)))
    throw new ReviewLoopError(
      configErrors.config_unreadable,
      `cannot read \`secrets.baseline\` ${shown}: no such file; ` +
        `write it with \`reviewloop secrets --baseline ${shown} --reason TEXT\``,
      { value: shown },
    );
  const text = await readConfig(path, { shown, maxBytes: largestBaseline });
  const { locateIn, parseData } = await import('./parse-data.js');
  const checked = checkedData(SecretsBaselineSchema, parseData(text, { shown, json: true }));
  if (!checked.success) throw misfit(checked, { shown, value: shown, locate: locateIn(text) });
  return entriesFrom(dirname(path), checked.data.allow as AllowedSecret[]);
}

/** Paths are from `root`; `false` if it is not judged. */
export function honestWorkIn(
  cwd: string,
  { config: { honestWork = {} }, file }: LoadedConfig,
  root = repositoryAbove(cwd) ?? cwd,
): HonestWorkOptions | false {
  if (honestWork === false) return false;
  const entries = entriesFrom(folderOf(cwd, file), honestWork.allow ?? []);
  return { allowed: allowedIn(root, entries) };
}

export function allowedIn(folder: string, entries: readonly AllowedSecret[]): AllowedSecret[] {
  return entries.map((entry) => ({
    ...entry,
    path: relative(folder, entry.path).split(sep).join('/'),
  }));
}

function folderOf(cwd: string, file = 'reviewloop.config.js'): string {
  return dirname(resolve(cwd, file));
}

function entriesFrom(folder: string, entries: readonly AllowedSecret[]): AllowedSecret[] {
  return entries.map((entry) => ({ ...entry, path: resolve(folder, entry.path) }));
}
