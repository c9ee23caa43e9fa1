// The table of README.md, from the last results.
import { killedAfter, neededCalls } from './measure.mjs';
import { boundMs } from './model-server.mjs';
import { loops } from './peers.mjs';

const start = '<!-- peers: begin -->';
const end = '<!-- peers: end -->';

/** A page with the table of these results between its markers. */
export function withTable(page, results) {
  const [before, rest] = page.split(start);
  const [, after] = (rest ?? '').split(end);
  if (after === undefined) throw new Error(`the page needs ${start} and ${end}`);
  return `${before}${start}\n\n${table(results)}\n\n${end}${after}`;
}

/** The table, with the line that says when and on what it was measured. */
export function table({ date, node, nodeAloneMb, loops: measured }) {
  const [byHand] = measured;
  const rows = measured.map((each) => row(each, byHand, nodeAloneMb));
  const calls = [...new Set(measured.map(({ paid }) => paid))];
  return [
    `Measured on ${date} with Node ${node.replace('v', '')}. A run needs ${neededCalls} calls, and ` +
      `${calls.length === 1 ? 'each loop pays for these' : `the loops pay for ${calls.join(', ')}`}. ` +
      `By hand a run takes ${round(byHand.cpuMs)} ms of processor time, and Node alone ` +
      `${Math.round(nodeAloneMb)} MB.`,
    '',
    '| loop | lines | calls | time / bound | processor time | memory | one judge of twenty fails | the rounds are used up | killed, started again |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

const notMade = 'not made for this';

function row(measured, byHand, nodeAloneMb) {
  const { name, versions, lines, paid, ms, cpuMs, peakMb, fails, budget, kill } = measured;
  const { shown, keepsRuns = true, runsLoops = true } = loops.find((loop) => loop.name === name);
  const packages = shown.map((each) => `${each} ${versions[each]}`).join(', ');
  const cells = [
    `**${name}** (${packages})`,
    lines,
    paid,
    runsLoops ? round(ms / boundMs) : notMade,
    runsLoops ? `${round(cpuMs / byHand.cpuMs)} x` : notMade,
    runsLoops ? `+ ${Math.round(peakMb - nodeAloneMb)} MB` : notMade,
    `${outcome(fails.first)}; ${fails.paidAgain} of ${fails.first.paid} paid again`,
    runsLoops ? `${outcome(budget)}${budget.version === bestVersion ? ', the best' : ''}` : notMade,
    keepsRuns ? `${outcome(kill)}; ${kill.paidAgain} of ${killedAfter} paid again` : notMade,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The version with the fewest problems where the rounds are used up. */
const bestVersion = 2;

function outcome({ threw, approved, status, version }) {
  if (threw !== undefined) return 'throws';
  // `success` is how a workflow says that it ran to its end
  const said = status === undefined || status === 'success' ? undefined : status;
  const what = said ?? (approved ? 'approved' : 'not approved');
  return `${what}, ${version === undefined ? 'no version' : `version ${version}`}`;
}

const round = (value) => value.toFixed(2);
