import { readFile, stat } from 'node:fs/promises';
import * as nodeModule from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { loadPeer, mayBeAbsent } from '../../core/load-peer.js';
import { systemClock } from '../../ports/clock.js';
import { configErrors } from './errors.js';

const loadingMs = 30_000;

/** JavaScript or TypeScript that the user wrote. */
export async function loadModule(
  path: string,
  shown: string,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const stats = await stat(path);
    // the program would wait for a pipe, and never end with a device
    if (!stats.isFile()) throw new Error('it is not a regular file');
    return await inTime(loaded(path, stats.mtimeMs), shown);
  } catch (error) {
    if (error instanceof ReviewLoopError) throw error;
    throw new ReviewLoopError(
      configErrors.config_unreadable,
      `cannot load ${shown}: ${messageOf(error)}${placeIn(error, path)}`,
      { cause: error, value: shown },
    );
  }
}

/** If this package is not installed beside it, it gets the running package. */
async function loaded(path: string, changed: number): Promise<Record<string, unknown>> {
  if (/\.[cm]?ts$/.test(extname(path))) return loadTypeScript(path);
  const url = `${pathToFileURL(path).href}?changed=${changed}`;
  try {
    return await import(url);
  } catch (error) {
    if (!lacksOwnPackage(error)) throw error;
    resolveOwnPackage();
    return import(`${url}&own`);
  }
}

/** Rejects if a module does not finish loading. Without this, the process would end silently. */
async function inTime<Value>(loading: Promise<Value>, shown: string): Promise<Value> {
  let cancel = (): void => {};
  const late = new Promise<never>((_, reject) => {
    cancel = systemClock.after(loadingMs, () =>
      reject(
        new ReviewLoopError(
          configErrors.config_unreadable,
          `loading ${shown} timed out after ${loadingMs / 1000} s`,
          { value: shown },
        ),
      ),
    );
  });
  try {
    return await Promise.race([loading, late]);
  } finally {
    cancel();
  }
}

async function loadTypeScript(path: string): Promise<Record<string, unknown>> {
  const { createJiti } = await loadPeer(
    { feature: 'a configuration in TypeScript', packages: ['jiti'] },
    () => import('jiti').catch(mayBeAbsent),
  );
  try {
    return await createJiti(import.meta.url).import<Record<string, unknown>>(path);
  } catch (error) {
    if (!lacksOwnPackage(error)) throw error;
    const alias = ownEntries(await readFile(path, 'utf8'));
    return createJiti(import.meta.url, { alias }).import<Record<string, unknown>>(path);
  }
}

function placeIn(error: unknown, path: string): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const line = stack.split('\n').find((entry) => entry.includes(path));
  const found = line === undefined ? undefined : /:(\d+)(?::\d+)?\)?$/.exec(line.trim())?.[1];
  return found === undefined ? '' : ` (line ${found})`;
}

function lacksOwnPackage(error: unknown): boolean {
  return (
    error instanceof Error && /Cannot find (?:package|module) 'reviewloop[/']/.test(error.message)
  );
}

let registered = false;

/**
 * Lets modules of the user import this package where it is not installed: `reviewloop` is then the
 * running package.
 */
function resolveOwnPackage(): void {
  if (registered) return;
  registered = true;
  const hook = `export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (!/^reviewloop(\\/|$)/.test(specifier)) throw error;
    return next(specifier, { ...context, parentURL: ${JSON.stringify(import.meta.url)} });
  }
}`;
  nodeModule.register(`data:text/javascript,${encodeURIComponent(hook)}`);
}

function ownEntries(text: string): Record<string, string> {
  const names = [...text.matchAll(/['"](reviewloop(?:\/[\w/-]+)?)['"]/g)].map(
    ([, name = '']) => name,
  );
  const sorted = [...new Set(names)].sort((a, b) => b.length - a.length);
  return Object.fromEntries(sorted.map((name) => [name, fileURLToPath(import.meta.resolve(name))]));
}
