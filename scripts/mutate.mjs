// Measures how many faults the tests find: npm run mutate -- PATH, where PATH is a room of scripts/mutation/rooms.mjs,
// or a folder or a file in one. `--share 0.2` tries a fifth of the functions, `--share 0.2-0.4` the next fifth, `--near` the tests beside the code only.
// Reports lie in temp/mutation; scripts/mutation/README.md has the last figures.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import {
  figures,
  interval,
  isEndless,
  isLate,
  lateLines,
  survivorLines,
} from './mutation/figures.mjs';
import { rooms } from './mutation/rooms.mjs';

const isIn = (path, folder) => path === folder || path.startsWith(`${folder}/`);

/** Returns the rooms that contain a path, or lie in it. */
function roomsOf(path) {
  const found = rooms.filter(({ source }) => isIn(path, source) || isIn(source, path));
  if (existsSync(path) && found.length > 0) return found;
  const known = rooms.map(({ source }) => source).join(', ');
  throw new Error(`${path} is not a file or folder of a measured room: ${known}`);
}

/** Milliseconds after which a test hangs. Vitest ends it sooner than Stryker ends and starts a process. */
const patience = { near: 20_000, all: 30_000 };

/** Tries mutants with some tests, and returns the report of Stryker. What is known from the last time is not tried again. */
async function tryMutants({ name, tests, ...options }) {
  const fileName = `temp/mutation/${name}.json`;
  process.env.MUTATE_TESTS = JSON.stringify(tests);
  process.env.MUTATE_TEST_MS = String(tests.withSlow ? patience.all : patience.near);
  await new Stryker({ ...options, jsonReporter: { fileName } }).runMutationTest();
  return JSON.parse(readFileSync(fileName, 'utf8'));
}

const isSame = (a, b) =>
  a.mutatorName === b.mutatorName &&
  a.replacement === b.replacement &&
  JSON.stringify(a.location) === JSON.stringify(b.location);

/** Tries what timed out with more time: on a busy machine a timeout may be a false alarm. */
async function tryTimeoutsAgain({ report, ...rest }) {
  const places = Object.entries(report.files).flatMap(([file, { mutants }]) =>
    mutants
      .filter((mutant) => isLate(mutant) && !isEndless(mutant))
      .map(({ location: { start, end } }) =>
        [file, start.line, `${start.column - 1}-${end.line}`, end.column - 1].join(':'),
      ),
  );
  if (places.length === 0) return;
  const time = { timeoutMS: 60_000 };
  const tests = { ...rest.tests, withSlow: true };
  const again = await tryMutants({ ...rest, tests, ...time, mutate: [...new Set(places)] });
  for (const [file, { mutants }] of Object.entries(again.files))
    for (const mutant of mutants) {
      const first = report.files[file]?.mutants.find((other) => isSame(other, mutant));
      if (first !== undefined && isLate(first)) Object.assign(first, mutant, { id: first.id });
    }
}

/** Forgets changed constants that survived: no test is known to meet them, so new tests would not be tried. */
function forgetConstants(file) {
  const known = JSON.parse(readFileSync(file, 'utf8'));
  for (const part of Object.values(known.files))
    part.mutants = part.mutants.filter(
      (mutant) => !(mutant.static && mutant.status === 'Survived'),
    );
  writeFileSync(file, JSON.stringify(known));
}

async function measure(room, { path, near, share }) {
  const target = isIn(path, room.source) ? path : room.source;
  const part = share === '1' ? '' : `-${share}`;
  const name = `${target.replace(/^src\//, '').replace(/\.ts$/, '')}${part}`.replaceAll('/', '-');
  const mutate = [
    statSync(target).isDirectory() ? `${target}/**/*.ts` : target,
    // rooms inside a wing are measured by themselves
    ...rooms
      .filter(({ source }) => isIn(source, target) && source !== target)
      .map(({ source }) => `!${source}/**`),
  ];
  const incrementalFile = `temp/mutation/${name}.known.json`;
  const known = { name, mutate, incremental: true, incrementalFile };
  // what the tests nearby find is not tried with the others
  if (existsSync(incrementalFile)) forgetConstants(incrementalFile);
  else if (!near && room.all.length > room.near.length)
    await tryMutants({ ...known, tests: { prefixes: room.near } });
  const tests = near ? { prefixes: room.near } : { prefixes: room.all, withSlow: true };
  const report = await tryMutants({ ...known, tests });
  if (!near) await tryTimeoutsAgain({ report, name: `${name}-timeouts`, tests });
  writeFileSync(`temp/mutation/${name}.json`, JSON.stringify(report));
  console.log(
    [...survivorLines(report), ...lateLines(report), '', ...figures(report, room)].join('\n'),
  );
  const [low, high] = (share !== '1' && interval(report)) || [];
  if (low !== undefined)
    console.log(`all functions, with 95 %: ${low.toFixed(1)} to ${high.toFixed(1)} %`);
}

const { values, positionals } = parseArgs({
  options: { share: { type: 'string', default: '1' }, near: { type: 'boolean', default: false } },
  allowPositionals: true,
});
process.env.MUTATE_SHARE = values.share;
const paths = positionals.map((path) => relative(process.cwd(), path));
mkdirSync('temp/mutation', { recursive: true });
if (paths.length === 0) {
  console.error(
    `usage: npm run mutate -- [--share 0.2] [--near] PATH\nrooms: ${rooms.map(({ source }) => source).join(' ')}`,
  );
  process.exitCode = 2;
}
for (const path of paths)
  for (const room of roomsOf(path)) await measure(room, { path, ...values });
