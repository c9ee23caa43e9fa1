// Loops without the library: what is published, and the strongest plain loops of one, two and three judges. They ask the same
// judges, and read the verdicts alone.
import { isBlocking, itemsOf, read } from './world.mjs';

/** What one judge says of the items that are not `known` as flagged. An item that a judge fails to judge is asked again; `kept` holds verdicts while texts are equal. */
export function judged(
  world,
  output,
  { family = 'a', tries = 1, kept, minors = true, known = new Set() } = {},
) {
  const judge = world.judgeOf(family);
  const flagged = new Set();
  let failed = false;
  itemsOf(world.regime).forEach(({ id }, index) => {
    if (known.has(id) || (!minors && !isBlocking(id))) return;
    const text = output[id];
    const key = `${family} ${text}`;
    const verdict =
      kept?.get(key) ??
      (isByCode(world.regime, index) ? !read(text).ok : lookOf(judge, text, tries));
    kept?.set(key, verdict);
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

/** So many drafts, the first that all judges approve, else the one with the fewest flags. */
export function bestOf(world, { samples, families = ['a'], tries = 1 }) {
  let best;
  for (let sample = 0; sample < samples; sample += 1) {
    const output = world.draft(sample);
    const { flagged, failed, blocks } = inOrder(world, output, { families, tries });
    if (!failed && !blocks) return { output, approved: true, reviewed: true };
    if (!failed && (best === undefined || flagged.size < best.flags))
      best = { output, flags: flagged.size };
  }
  return { output: best?.output ?? world.draft(), approved: false, reviewed: best !== undefined };
}

/**
 * The plain loop: the first judge reviews, the others may veto, what blocks is edited; so many reviews at most. `keeps` says that a
 * verdict holds while its text is equal, `minors` that vetoing judges are asked about minor items too.
 */
export function plainLoop(world, { families, rounds, keeps = false, minors = true, tries = 12 }) {
  const kept = keeps ? new Map() : undefined;
  let output = world.draft();
  for (let round = 1; ; round += 1) {
    const { flagged, failed, blocks } = inOrder(world, output, { families, tries, kept, minors });
    if (failed) return { output, approved: false, reviewed: false };
    if (!blocks) return { output, approved: true, reviewed: true };
    if (round === rounds) return { output, approved: false, reviewed: true };
    output = world.edit(output, flagged);
  }
}

/** Asks the first judge, and the others where it does not block; none about what another one has flagged. */
function inOrder(world, output, { families, tries, kept, minors = true }) {
  const [first, ...others] = families;
  const said = judged(world, output, { family: first, tries, kept });
  if (said.failed || said.blocks) return said;
  const flagged = new Set(said.flagged);
  let failed = false;
  for (const family of others) {
    const veto = judged(world, output, { family, tries, kept, minors, known: flagged });
    for (const id of veto.flagged) flagged.add(id);
    failed ||= veto.failed;
  }
  return { flagged, failed, blocks: [...flagged].some(isBlocking) };
}
