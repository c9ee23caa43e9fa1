// What the simulation has to show, and whether it did. Shares are compared unrounded.
const inTurn = (passes) => `in turn ${passes}`;
const least = (what, value) => ({ what, least: value });
const most = (what, value) => ({ what, most: value });

/** The frontier: at most so many calls, at least so much clean, at most so much wrong of the approvals. */
const frontier = Object.entries({
  '2/4': { calls: 29, mid: [0.64, 0.36], strong: [0.89, 0.105] },
  '3/5': { calls: 39.5, mid: [0.7, 0.3], strong: [0.94, 0.06] },
  '4/6': { calls: 49.5, mid: [0.735, 0.265], strong: [0.95, 0.048] },
  '6/9': { calls: 73, mid: [0.775, 0.22], strong: [0.96, 0.038] },
}).flatMap(([passes, { calls, ...judges }]) =>
  Object.entries(judges).map(([regime, [clean, wrong]]) => ({
    regime,
    name: inTurn(passes),
    bounds: [
      most('calls', calls),
      least('clean', clean),
      least('approved', 0.97),
      most('falseApprovals', wrong),
    ],
  })),
);

export const targets = [
  ...frontier,
  { regime: 'mid', name: inTurn('4/6'), bounds: [most('worse', 0.036)] },
  { regime: 'strong', name: inTurn('4/6'), bounds: [most('worse', 0.018)] },
  {
    regime: 'half by code',
    name: inTurn('4/6'),
    bounds: [most('calls', 25), least('clean', 0.855), most('falseApprovals', 0.145)],
  },
  {
    regime: 'outage',
    name: inTurn('4/6'),
    bounds: [most('calls', 71), least('clean', 0.74), least('approved', 0.95)],
  },
  {
    regime: 'bad fixer',
    name: inTurn('4/6'),
    bounds: [least('clean', 0.645), most('worse', 0.14)],
  },
  {
    regime: '40 items',
    name: inTurn('4/6'),
    bounds: [most('calls', 170), least('clean', 0.85)],
  },
  { regime: 'agreeable', name: 'in turn 4/6, within a risk', bounds: [most('approved', 0)] },
  ...['mid', 'strong', 'agreeable'].map((regime) => ({
    regime,
    name: 'in turn 4/6, within a risk',
    bounds: [most('riskMissedBy', 0.02)],
  })),
];

/** What the words of a bound mean. */
export const words = {
  calls: 'judge calls',
  clean: 'clean',
  approved: 'approved',
  falseApprovals: 'wrong of approvals',
  worse: 'worse than the draft',
  riskMissedBy: 'predicted risk, distance from the truth',
};
