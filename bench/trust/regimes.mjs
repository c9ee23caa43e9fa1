// What the simulation is run under: how good judge and fixer are, how alike judges are, how often a call fails, how many items
// there are and how many of them code decides.

const fixer = { fix: 0.7, damageFlagged: 0.2, damageOther: 0.0143 };
const mid = { catches: 0.57, alarms: 0.06 };

/** How alike calls of one judge are, and how alike judges are. */
const alike = { sameJudge: 0.78, otherJudge: 0.44 };

/** How many items of each severity a checklist has. */
const twelve = { critical: 2, major: 6, minor: 4 };

const base = { judge: mid, fixer, alike, items: twelve, outage: 0, byCode: 0, outlive: 0 };
const strong = { ...base, judge: { catches: 0.85, alarms: 0.05 } };
const forty = { critical: 7, major: 20, minor: 13 };
const less = { sameJudge: 0.78, otherJudge: 0.2 };
const more = { sameJudge: 0.9, otherJudge: 0.7 };

export const regimes = {
  mid: base,
  strong,
  agreeable: { ...base, judge: { catches: 0.25, alarms: 0.04 } },
  'bad fixer': { ...base, fixer: { ...fixer, damageFlagged: 0.5, damageOther: 0.1 } },
  outage: { ...base, outage: 0.3 },
  'half by code': { ...base, byCode: 6 },
  '40 items': { ...strong, items: forty },
  'less alike': { ...base, alike: less },
  'more alike': { ...base, alike: more },
  'blind spots that outlive edits by half': { ...base, outlive: 0.5 },
  'blind spots that outlive edits': { ...base, outlive: 1 },
  '40 items, mid': { ...base, items: forty },
  'less alike, strong': { ...strong, alike: less },
  'more alike, strong': { ...strong, alike: more },
  'blind spots that outlive edits, strong': { ...strong, outlive: 1 },
};

/** What is lost in the session that wrote the text. */
export const sameSessionLoss = 0.86;
