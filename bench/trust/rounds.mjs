// Measures round by round over all cells, so that it can be ended at any time, and goes on from the lines that a file holds.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { calibrationPoints, oracle } from './checks.mjs';
import { compared } from './contenders.mjs';
import { able, cell } from './measure.mjs';
import { regimes } from './world.mjs';

const chunk = 100;

/** Appends JSON lines to a file until every cell has its runs. */
export async function rounds(
  lib,
  file,
  { runs = 2000, under = Object.keys(regimes), names = compared } = {},
) {
  const known = existsSync(file)
    ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean)
    : [];
  const done = new Set(
    known
      .map((line) => JSON.parse(line))
      .map(({ regime, name, from, points }) =>
        points === undefined ? [regime, name, from].join() : 'points',
      ),
  );
  const add = (line) => appendFileSync(file, `${JSON.stringify(line)}\n`);
  if (!done.has('points'))
    add({ points: { ...calibrationPoints(), oracle: await oracle(lib, 500) } });
  for (let from = 0; from < runs; from += chunk) {
    for (const regime of under) {
      for (const name of names) {
        if (done.has([regime, name, from].join()) || !able(lib, name)) continue;
        add({
          regime,
          name,
          from,
          counts: await cell(lib, name, {
            regime: regimes[regime],
            runs: Math.min(chunk, runs - from),
            from,
          }),
        });
      }
    }
  }
}
