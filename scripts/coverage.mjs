// Runs the fast tests with coverage, prints the share of covered branches of each room, and compares it with the kept
// record: a room that falls by more than three points fails. Commands are rooms of their own, since most of their tests
// start processes and are not fast. `--keep` writes the record.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';

const { floors } = createRequire(import.meta.url)('./floors.cjs');
const named = [...floors.flat(), 'faces/cli', 'faces/mcp'].sort((a, b) => b.length - a.length);

/** The room of a source file; the commands of a product are a room of their own. */
function roomOf(path) {
  const [, command] = /^src\/(faces\/commands\/[^/]+)\//.exec(path) ?? [];
  return command ?? named.find((room) => path.startsWith(`src/${room}/`));
}

const record = 'test/coverage.json';
const mostLost = 3;
const isKept = process.argv.includes('--keep');

const { status } = spawnSync(process.execPath, ['scripts/run-tests.mjs', 'fast', '--coverage'], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);

const rooms = new Map();
for (const [path, { branches }] of Object.entries(
  JSON.parse(readFileSync('coverage/coverage-summary.json', 'utf8')),
)) {
  const room = roomOf(relative('.', path).replaceAll('\\', '/'));
  if (room === undefined) continue;
  const { covered = 0, total = 0 } = rooms.get(room) ?? {};
  rooms.set(room, { covered: covered + branches.covered, total: total + branches.total });
}
const shares = Object.fromEntries(
  [...rooms]
    .filter(([, { total }]) => total > 0)
    .map(([room, { covered, total }]) => [room, Math.round((100 * covered) / total)])
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);
if (isKept) writeFileSync(record, `${JSON.stringify(shares, null, 2)}\n`);
const kept = JSON.parse(readFileSync(record, 'utf8'));
const fallen = Object.keys(kept).filter((room) => (shares[room] ?? 100) < kept[room] - mostLost);
for (const [room, share] of Object.entries(shares))
  console.log(`${fallen.includes(room) ? 'FELL' : '    '} ${room}: ${share} % of the branches`);
for (const room of fallen)
  console.error(`${room}: ${shares[room]} % of the branches are covered, ${kept[room]} % before`);
process.exitCode = fallen.length > 0 ? 1 : 0;
