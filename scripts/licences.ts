import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

const Metafile = z.object({ inputs: z.record(z.string(), z.unknown()) });
const Manifest = z.object({ name: z.string(), version: z.string(), license: z.string() });

/** Packages of which data is in the sources. */
const copied = ['node_modules/@secretlint/secretlint-rule-preset-recommend'];

/**
 * Writes the licence of each package that is part of the built files, and removes the metafile. `more` are files that
 * are built in beside those of the metafile.
 */
export function writeLicences(metafile: string, more: readonly string[]): void {
  const { inputs } = Metafile.parse(JSON.parse(readFileSync(metafile, 'utf8')));
  const folders = [...Object.keys(inputs), ...more, ...copied].flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [],
  );
  const sections = [...new Set(folders)].sort().map(licenceOf);
  const intro = 'Parts of these packages are included in the files of this folder.\n';
  writeFileSync('dist/THIRD-PARTY-LICENSES.txt', [intro, ...sections].join('\n'));
  rmSync(metafile);
}

function licenceOf(folder: string): string {
  const { name, version, license } = Manifest.parse(
    JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')),
  );
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const path = file === undefined ? undefined : `${folder}/${file}`;
  const text = path !== undefined && existsSync(path) ? readFileSync(path, 'utf8').trim() : license;
  return `${'-'.repeat(72)}\n${name} ${version} (${license})\n\n${text}\n`;
}
