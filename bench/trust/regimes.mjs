// What the simulation is run under: how good judge and fixer are, how alike judges are, how often a call fails, and how many
// items code decides.

const fixer = { fix: 0.7, damageFlagged: 0.2, damageOther: 0.0143 };
const mid = { catches: 0.57, alarms: 0.06 };

/** How alike calls of one judge are, and how alike judges are, as recorded judges of 2026 are. */
const alike = { sameJudge: 0.95, otherJudge: 0.8 };

/** How many items of each severity a checklist has. */
const twelve = { critical: 2, major: 6, minor: 4 };

const base = { judge: mid, fixer, alike, items: twelve, outage: 0, byCode: 0 };

export const regimes = {
  mid: base,
  strong: { ...base, judge: { catches: 0.85, alarms: 0.05 } },
  'bad fixer': { ...base, fixer: { ...fixer, damageFlagged: 0.5, damageOther: 0.1 } },
  outage: { ...base, outage: 0.3 },
  'half by code': { ...base, byCode: 6 },
};

/** What is lost in the session that wrote the text. */
export const sameSessionLoss = 0.86;
