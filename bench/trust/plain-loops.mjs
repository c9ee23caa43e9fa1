// Loops without the library, as published. They ask the same judges, and read the verdicts alone.
import { isBlocking, itemsOf, read } from './world.mjs';

/** What one judge says of all items. An item that it fails to judge is asked again. */
export function judged(world, output, { family = 'a', tries = 1 } = {}) {
  const judge = world.judgeOf(family);
  const flagged = new Set();
  let failed = false;
  itemsOf(world.regime).forEach(({ id }, index) => {
    const text = output[id];
    const verdict = isByCode(world.regime, index) ? !read(text).ok : lookOf(judge, text, tries);
    if (verdict === undefined) failed = true;
    else if (verdict) flagged.add(id);
  });
  return { flagged, failed, blocks: [...flagged].some(isBlocking) };
}

/** Every second item, as many as the regime says. */
export const isByCode = ({ byCode }, index) => index % 2 === 1 && index < byCode * 2;

function lookOf(judge, text, tries) {
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    try {
      return judge.look(text);
    } catch {
      // the next try is the answer to a failed call
    }
  }
  return undefined;
}

/** The self-review loop as specified: the last fix is returned unreviewed, two critical gaps end it before any fix, a judge that throws loses the run. */
export function asSpecified(world) {
  let output = world.draft();
  for (let iteration = 1; iteration <= 3; iteration += 1) {
    const { flagged, failed, blocks } = judged(world, output);
    if (failed) return { output, approved: false, reviewed: true };
    if (!blocks) return { output, approved: true, reviewed: true };
    if ([...flagged].filter((id) => id.startsWith('c')).length >= 2)
      return { output, approved: false, reviewed: true };
    output = world.edit(output, flagged);
  }
  return { output, approved: false, reviewed: false };
}

/** Self-Refine: feedback until there is none, four times at most; the last version is taken. */
export function selfRefine(world) {
  let output = world.draft();
  for (let iteration = 1; iteration <= 4; iteration += 1) {
    const { flagged, failed, blocks } = judged(world, output);
    if (failed) return { output, approved: false, reviewed: true };
    if (!blocks) return { output, approved: true, reviewed: true };
    output = world.edit(output, flagged);
  }
  return { output, approved: false, reviewed: false };
}

/** So many drafts, the first that the judge approves, else the one with the fewest flags. */
export function bestOf(world, { samples }) {
  let best;
  for (let sample = 0; sample < samples; sample += 1) {
    const output = world.draft(sample);
    const { flagged, failed, blocks } = judged(world, output);
    if (!failed && !blocks) return { output, approved: true, reviewed: true };
    if (!failed && (best === undefined || flagged.size < best.flags))
      best = { output, flags: flagged.size };
  }
  return { output: best?.output ?? world.draft(), approved: false, reviewed: best !== undefined };
}
