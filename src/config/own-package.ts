import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

/** Returns whether an error says that this package was not found, as beside a global install. */
export function lacksOwnPackage(error: unknown): boolean {
  return (
    error instanceof Error && /Cannot find (?:package|module) 'reviewloop[/']/.test(error.message)
  );
}

let registered = false;

/**
 * Lets modules of the user import this package where it is not installed: `reviewloop` is then the
 * running package.
 */
export function resolveOwnPackage(): void {
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

/** Returns the paths of this package's entries that a module names, for a loader of TypeScript. */
export function ownEntries(text: string): Record<string, string> {
  const names = [...text.matchAll(/['"](reviewloop(?:\/[\w/-]+)?)['"]/g)].map(
    ([, name = '']) => name,
  );
  const sorted = [...new Set(names)].sort((a, b) => b.length - a.length);
  return Object.fromEntries(sorted.map((name) => [name, fileURLToPath(import.meta.resolve(name))]));
}
