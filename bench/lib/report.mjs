// What a bench says: one JSON line per figure, and per target whether it is met.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { root } from './library.mjs';
import { rounded } from './stats.mjs';

export class Report {
  lines = [];
  targets = [];
  wrong = 0;

  /** A figure. */
  line(bench, contender, figures) {
    const tidy = Object.fromEntries(
      Object.entries(figures).map(([key, value]) => [
        key,
        typeof value === 'number' ? rounded(value) : value,
      ]),
    );
    this.lines.push({ bench, contender, ...tidy });
    console.log(JSON.stringify(this.lines.at(-1)));
  }

  /** A goal that depends on the machine, so missing it is told and nothing else. */
  atMost(target, value, goal) {
    this.targets.push({ target, value: rounded(value), goal: `<= ${goal}`, met: value <= goal });
  }

  atLeast(target, value, goal) {
    this.targets.push({ target, value: rounded(value), goal: `>= ${goal}`, met: value >= goal });
  }

  /** A count that must be right on any machine. */
  exactly(target, value, goal) {
    this.#count(target, value, goal, value === goal);
  }

  /** A count that must not be exceeded on any machine. */
  neverAbove(target, value, goal) {
    this.#count(target, value, `<= ${goal}`, value <= goal);
  }

  #count(target, value, goal, met) {
    if (!met) this.wrong += 1;
    this.targets.push({ target, value, goal, met, exact: true });
  }

  /** Says whether bench/README.md has these figures in a row, by a quarter. Their machine differs. */
  page(row, values) {
    const line = readFileSync(`${root}bench/README.md`, 'utf8')
      .split('\n')
      .find((one) => one.startsWith(`| ${row}`));
    const [, , , cell = ''] = line?.split('|') ?? [];
    const told = cell.match(/[\d.]+/g)?.map(Number) ?? [];
    const isNear = (value, index) => Math.abs(value / told[index] - 1) <= 0.25;
    const agrees = told.length === values.length && values.every(isNear);
    this.targets.push({ page: row, told, measured: values.map(rounded), agrees });
  }

  /** Prints the targets and keeps everything in results/latest.json. */
  finish() {
    for (const target of this.targets) console.log(JSON.stringify(target));
    const machine = { node: process.version, cores: cpus().length, at: new Date().toISOString() };
    mkdirSync(`${root}bench/results`, { recursive: true });
    writeFileSync(
      `${root}bench/results/latest.json`,
      `${JSON.stringify({ machine, lines: this.lines, targets: this.targets }, null, 2)}\n`,
    );
  }
}
