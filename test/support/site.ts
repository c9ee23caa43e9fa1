import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { root } from '../architecture/repository.js';

/** Where the site is built. */
export const siteFolder = join(root, 'site/dist');

/**
 * A suite over the built site: skipped, visibly, where its packages are missing; failing when REVIEWLOOP_REQUIRE names
 * `site`.
 */
export function describeSite(name: string, body: () => void): void {
  if (existsSync(join(root, 'site/node_modules/vitepress'))) describe(name, body);
  else if ((process.env['REVIEWLOOP_REQUIRE'] ?? '').split(',').includes('site'))
    it(`${name}: needs the packages of the site`, () => expect.fail('run npm ci --prefix site'));
  else describe.skip(`${name} (needs npm ci --prefix site)`, body);
}

/** Builds the site; returns what the build says. A link that leads nowhere ends the build. */
export async function buildSite(): Promise<string> {
  const build = promisify(execFile)(process.execPath, ['site/build.mjs'], {
    cwd: root,
    maxBuffer: 2 ** 24,
    // vitest's own would reach VitePress
    env: { ...process.env, NODE_ENV: 'production', VITEST: undefined },
  });
  return (await build).stdout;
}

/** The files of the built site with an ending, as paths of the site. */
export function builtFiles(ending: string): string[] {
  return readdirSync(siteFolder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith(ending))
    .sort();
}
