// What gates of recorded judges let through, by plain arithmetic: no engine takes part.
import { familyOf, judges, prompts } from './items.mjs';

/** Returns every order of as many judges of both families as letters stand in a gate. */
function castsOf(letters) {
  let casts = [[]];
  for (let seat = 0; seat < letters; seat += 1)
    casts = casts.flatMap((cast) =>
      judges.filter((judge) => !cast.includes(judge)).map((judge) => [...cast, judge]),
    );
  const families = (cast) => new Set(cast.map(familyOf)).size;
  return casts.filter((cast) => letters === 1 || families(cast) === 2);
}

/** Returns how many of its calls on each text a judge passes, and of how many. */
function callsOf(items, judge, texts, bar) {
  return items.flatMap(({ grades }) =>
    texts.map((text) => {
      const own = grades[judge][text];
      return { passing: own.filter((grade) => grade >= bar).length, of: own.length };
    }),
  );
}

/**
 * Returns the share of texts that pass, and the mean calls until one fails. No call of a judge is drawn
 * twice.
 *
 * @param seats - For each turn: the calls of its judge, and how often that judge was asked before.
 */
function walk(seats) {
  const [{ calls: first }] = seats;
  let [passedAll, callsAll] = [0, 0];
  for (let text = 0; text < first.length; text += 1) {
    let passed = 1;
    for (const { calls, before } of seats) {
      callsAll += passed;
      const { passing, of } = calls[text];
      passed *= Math.max(0, passing - before) / (of - before);
    }
    passedAll += passed;
  }
  return { passed: passedAll / first.length, calls: callsAll / first.length };
}

/**
 * Returns what a gate lets through, as the mean over prompts and judges: calls, the share of right texts
 * that it approves, and the share of wrong texts among the approvals, at a prior.
 *
 * @param gate - One letter a turn: `aba` asks the first judge twice.
 */
export function gateOf(items, gate, { bar, prior = 0.15 }) {
  const letters = [...new Set(gate)];
  const figures = prompts.flatMap((prompt) => {
    const callsBy = (texts) =>
      new Map(judges.map((judge) => [judge, callsOf(items, `${prompt}/${judge}`, texts, bar)]));
    const labels = { right: callsBy([0]), wrong: callsBy([1, 2, 3]) };
    return castsOf(letters.length).map((cast) => {
      const seatsOf = (calls) =>
        [...gate].map((letter, turn) => ({
          calls: calls.get(cast[letters.indexOf(letter)]),
          before: [...gate].slice(0, turn).filter((other) => other === letter).length,
        }));
      return { right: walk(seatsOf(labels.right)), wrong: walk(seatsOf(labels.wrong)) };
    });
  });
  const mean = (label, what) =>
    figures.reduce((sum, one) => sum + one[label][what], 0) / figures.length;
  const wrong = prior * mean('wrong', 'passed');
  return {
    calls: prior * mean('wrong', 'calls') + (1 - prior) * mean('right', 'calls'),
    right: mean('right', 'passed'),
    wrong: wrong / (wrong + (1 - prior) * mean('right', 'passed')),
  };
}
