// The world of one task for one contender: its judges, its drafts and edits, and what all of that costs.
import { noisyJudge } from './judge.mjs';
import { draft, fixed, read } from './world.mjs';

/** `session` says that judge a sits in the session that wrote the text. */
export function worldOf({ seed, task, regime, session }) {
  const judges = new Map();
  const chain = answersInARow();
  let edits = 0;
  const judgeOf = (family) => {
    const sameSession = session === true && family === 'a';
    const known =
      judges.get(family) ?? noisyJudge({ seed, family, regime, sameSession, onAsk: chain.asked });
    judges.set(family, known);
    return known;
  };
  return {
    seed,
    task,
    regime,
    judgeOf,
    judge: judgeOf('a'),
    draft: (sample = 0) => {
      chain.next();
      return draft({ seed, task, sample, regime });
    },
    edit: (output, told) => {
      chain.next();
      edits += 1;
      return fixed(output, told, { seed, regime, attempt: edits });
    },
    cost: () => ({
      calls: [...judges.values()].reduce((sum, { calls }) => sum + calls, 0),
      edits,
      inARow: chain.length(),
    }),
  };
}

/** Counts answers that wait for each other: all texts of a review are judged side by side, each of them by one judge after the other. */
function answersInARow() {
  const review = new Map();
  let length = 0;
  const next = () => {
    length += Math.max(0, ...review.values());
    review.clear();
  };
  return {
    asked: (text) => {
      const { id } = read(text);
      review.set(id, (review.get(id) ?? 0) + 1);
    },
    next,
    length: () => {
      next();
      return length;
    },
  };
}
