// node bench/trust/checks.mjs [FILE]   prints for each target whether it is met, and ends with 1 if one is missed.
// Without a file: the measurement that the pages are made of.
import { pathToFileURL } from 'node:url';
import { seeds } from './jobs.mjs';
import { cellsIn } from './measured.mjs';
import { strongerThan } from './stronger.mjs';
import { targets, words } from './targets.mjs';

/** One line for each bound of each target. A cell of another seed may miss by two standard errors, as it has fewer tasks. */
export function checks(cells, seed = seeds.tables) {
  return targets.flatMap(({ regime, name, bounds }) => {
    const cell = cells.find(regime, name, seed);
    return bounds.map(({ what, least, most }) => {
      const figure = cell && figureOf(cell.figures, what);
      const slack = seed === seeds.tables ? 0 : 2 * (figure?.error ?? 0);
      return {
        regime,
        name,
        what: words[what],
        asked:
          least === undefined ? `at most ${shown(what, most)}` : `at least ${shown(what, least)}`,
        measured: figure === undefined ? undefined : shown(what, figure.value),
        runs: cell?.counts.runs ?? 0,
        result: resultOf(figure, { least, most, slack }),
      };
    });
  });
}

function resultOf(
  figure,
  { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY, slack },
) {
  if (figure === undefined) return 'not measured';
  return figure.value >= least - slack && figure.value <= most + slack ? 'met' : 'missed';
}

/** A figure with its standard error; none has to be known of calls. */
function figureOf(figures, what) {
  if (what === 'calls') return { value: figures.calls, error: 0 };
  if (what !== 'riskMissedBy') return figures[what];
  const { predicted, predictedWrong } = figures;
  if (predicted === undefined) return undefined;
  return { value: Math.abs(predicted - predictedWrong.value), error: predictedWrong.error };
}

const shown = (what, value) =>
  what === 'calls' ? value.toFixed(1) : `${(100 * value).toFixed(1)} %`;

function main(file) {
  const cells = cellsIn(file);
  let missed = 0;
  for (const seed of [seeds.tables, ...seeds.spread]) {
    console.log(`\nseed ${seed}`);
    const found = checks(cells, seed).filter(
      ({ result }) => seed === seeds.tables || result !== 'not measured',
    );
    for (const { regime, name, what, asked, measured = '-', runs, result } of found) {
      console.log(
        `${result.padEnd(12)} ${regime}, ${name}: ${what} ${measured}, ${asked} (${runs} tasks)`,
      );
      missed += Number(result !== 'met');
    }
  }
  console.log('\nstronger at as many calls or fewer');
  for (const { cell, others } of strongerThan(cells))
    for (const { name, why } of others)
      console.log(`${cell.regime}, ${cell.name}: ${name}, ${why}`);
  return missed === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = main(process.argv[2]);
