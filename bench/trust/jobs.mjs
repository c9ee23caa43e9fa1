// Which cells are measured, with how many tasks and in which order: first those that the targets are about.
import { namesOf } from './contenders.mjs';
import { budgets } from './engine-loops.mjs';
import { regimes } from './regimes.mjs';

const names = Object.keys(regimes);
const both = ['mid', 'strong'];
/** Regimes that show one thing changed, where fewer arrangements are measured. */
const aside = names.filter((name) => name.includes(', '));
const main = names.filter((name) => !aside.includes(name));
const others = main.filter((name) => !both.includes(name));
const targeted = ['half by code', 'bad fixer', 'outage', '40 items'];
const inTurn = (list, rest = '') => list.map((passes) => `in turn ${passes}${rest}`);
const frontier = inTurn(['2/4', '3/5', '4/6', '6/9']);
const unguarded = inTurn(['4/6', '2/4', '3/5', '6/9'], ', no guard');
const cheap = () => [...namesOf('published'), ...namesOf('plain')];
const ends = inTurn(['1/2', '3/4', '9/12']);
const within = (share) => cells(Object.keys(budgets), namesOf('within a risk'), share);

/** The seed of the tables, and those that show how much figures spread. */
export const seeds = { tables: 4, spread: [7, 11] };

const cells = (under, list, share = 1, seed = seeds.tables) =>
  under.flatMap((regime) => list.map((name) => ({ seed, regime, name, share })));

/** The jobs of all cells, most wanted first; `only` names regimes, contenders, or both. Cells of the tables have `runs` tasks in the end. */
export function jobsOf({ runs, only = {} }) {
  const seen = new Set();
  const { under, names: list, seed = seeds.tables } = only;
  const wanted =
    list === undefined
      ? all().filter(({ regime }) => under === undefined || under.includes(regime))
      : cells(under ?? names, list, 1, seed);
  return wanted
    .flatMap((one) => chunksOf({ ...one, runs: Math.ceil(runs * one.share) }))
    .filter((job) => !seen.has(keyOf(job)) && seen.add(keyOf(job)));
}

const quarter = 0.25;
const all = () => [
  ...cells(both, [...frontier, ...cheap()]),
  ...cells(targeted, ['in turn 4/6'], quarter),
  ...within(),
  ...cells(others, ['in turn 4/6', ...cheap()], quarter),
  ...seeds.spread.flatMap((seed) => cells(both, frontier, quarter, seed)),
  ...cells(others, frontier, quarter),
  ...cells(both, namesOf('former'), quarter),
  ...cells(['agreeable', ...targeted], ['in turn 4/6']),
  ...cells(both, ends),
  ...seeds.spread.flatMap(ofTheSpread),
  ...cells(both, unguarded, quarter),
  ...cells(others, ['in turn 4/6, no guard', ...namesOf('former')], quarter),
  ...cells(aside, ['in turn 4/6', ...cheap()], quarter),
  ...cells(both, [...namesOf('former'), ...unguarded]),
  ...cells(others, [...frontier, ...unguarded, ...namesOf('former'), ...cheap()]),
  ...cells(aside, ['in turn 4/6', ...cheap()]),
];

const ofTheSpread = (seed) => [
  ...cells(targeted, ['in turn 4/6'], quarter, seed),
  ...cells(Object.keys(budgets), namesOf('within a risk'), quarter, seed),
];

const chunk = 100;
const chunksOf = ({ seed, regime, name, runs }) =>
  Array.from({ length: Math.ceil(runs / chunk) }, (_, index) => ({
    seed,
    regime,
    name,
    from: index * chunk,
    runs: Math.min(chunk, runs - index * chunk),
  }));

/** The name of a job, under which a file knows that it is done. */
export const keyOf = ({ seed, regime, name, from }) => [seed, regime, name, from].join('|');
