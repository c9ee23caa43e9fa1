// `npm run bench:peers`: measures every loop, prints the table, and writes it into README.md.
//   node bench/peers/run.mjs [--rounds 3] [--only NAME] [--table]
// --only measures one loop and writes nothing; --table prints the last table without measuring.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareDist } from '../lib/build.mjs';
import { root } from '../lib/library.mjs';
import { installPeers, nodeForPeers } from './install.mjs';
import { linesOf } from './lines.mjs';
import { costs, killed, median, nodeAlone, oneJudgeFails, runOnce } from './measure.mjs';
import { modelServer } from './model-server.mjs';
import { here, installedVersion, loops, sets } from './peers.mjs';
import { table, withTable } from './table.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    table: { type: 'boolean', default: false },
  },
});
const resultsFile = join(here, 'results.json');
const page = join(root, 'bench/peers/README.md');

if (!values.table) await main();
if (values.only === undefined) {
  const results = JSON.parse(readFileSync(resultsFile, 'utf8'));
  writeFileSync(page, withTable(readFileSync(page, 'utf8'), results));
  console.log(table(results));
}

async function main() {
  const failed = installPeers();
  if (failed.length > 0) throw new Error(`could not be installed: ${failed.join(', ')}`);
  prepareDist();
  const node = nodeForPeers();
  const server = await modelServer();
  const wanted = loops.filter(({ name }) => values.only === undefined || name === values.only);
  try {
    const facts = {};
    for (const loop of wanted) facts[loop.name] = await factsOf({ ...loop, node, server });
    const figures = await figuresOf(wanted.map((loop) => ({ ...loop, node, server })));
    const measured = wanted.map(({ name, file }) => ({
      name,
      versions: versionsOf(loops.find((loop) => loop.name === name)),
      lines: linesOf(file),
      ...facts[name],
      ...figures[name],
    }));
    if (values.only !== undefined) console.log(JSON.stringify(measured, null, 2));
    else
      writeFileSync(
        resultsFile,
        `${JSON.stringify(
          {
            date: new Date().toISOString().slice(0, 10),
            node: spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim(),
            nodeAloneMb: await nodeAlone(node),
            loops: measured,
          },
          null,
          2,
        )}\n`,
      );
  } finally {
    server.close();
  }
}

/** What is the same on every machine; wrong results end the measurement. */
async function factsOf(loop) {
  process.stderr.write(`peers: ${loop.name}\n`);
  const clean = await runOnce(loop, 'clean');
  expect(loop, 'three reviews', clean, { approved: true, version: 3 });
  expect(loop, 'a broken rule', await runOnce(loop, 'rules'), { approved: true, version: 2 });
  const budget = await runOnce(loop, 'worse');
  expect(loop, 'used up rounds', budget, { approved: false });
  const fails = await oneJudgeFails(loop);
  expect(loop, 'a judge that works again', fails.second, { approved: true, version: 3 });
  const kill = await killed(loop);
  expect(loop, 'a killed process', kill, { approved: true, version: 3 });
  return { paid: clean.paid, budget, fails, kill };
}

function expect({ name }, what, found, wanted) {
  for (const [key, value] of Object.entries(wanted))
    if (found[key] !== value)
      throw new Error(
        `${name}: after ${what}, ${key} should be ${value}: ${JSON.stringify(found)}`,
      );
}

/** Each loop once a round, in turns; the best round counts, because others may use this machine. */
async function figuresOf(wanted) {
  const found = Object.fromEntries(wanted.map(({ name }) => [name, []]));
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    process.stderr.write(`peers: round ${round}\n`);
    for (const loop of wanted) found[loop.name].push(await costs(loop));
  }
  const least = (name, key) => Math.min(...found[name].map((each) => each[key]));
  return Object.fromEntries(
    wanted.map(({ name }) => [
      name,
      {
        ms: least(name, 'ms'),
        cpuMs: least(name, 'cpuMs'),
        peakMb: median(found[name].map(({ peakMb }) => peakMb)),
      },
    ]),
  );
}

function versionsOf({ set, shown }) {
  if (set !== undefined) return sets[set];
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  const version = (name) =>
    name === 'reviewloop' ? own : installedVersion(join(root, 'node_modules'), name);
  return Object.fromEntries(shown.map((name) => [name, version(name)]));
}
