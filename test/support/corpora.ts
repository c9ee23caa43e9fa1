import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'vitest';

const folder = resolve(
  import.meta.dirname,
  '../..',
  process.env['REVIEWLOOP_CORPORA'] ?? '../shared/corpora',
);

/** The folder of recorded inputs; undefined where it is not there. */
const corpora: string | undefined = existsSync(folder) ? folder : undefined;

/** A suite over the corpora: skipped, visibly, without them; failing when REVIEWLOOP_REQUIRE names them. */
export function describeCorpora(name: string, suite: (folder: string) => void): void {
  if (corpora !== undefined) {
    const found = corpora;
    describe(name, () => suite(found));
  } else if ((process.env['REVIEWLOOP_REQUIRE'] ?? '').split(',').includes('corpora')) {
    it(`${name}: the corpora are required`, () => {
      throw new Error(`no corpora in ${folder}; set REVIEWLOOP_CORPORA`);
    });
  } else {
    it.skip(`${name} (skipped: no corpora, set REVIEWLOOP_CORPORA)`, () => undefined);
  }
}

/** A suite over a part that not all corpora have: skipped, visibly, without it. */
export function describePart(part: string, name: string, suite: (folder: string) => void): void {
  const found = resolve(folder, part);
  if (existsSync(found)) describe(name, () => suite(found));
  else it.skip(`${name} (skipped: no ${part} in the corpora)`, () => undefined);
}
