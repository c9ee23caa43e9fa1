import { artifactsOf } from './artifact.js';
import type { Gap } from './gap.js';
import { hashText } from './hash.js';

/** What is known of the version that the judged one was made from. */
export interface ParentReview {
  readonly gaps: readonly Gap[];
  readonly output: unknown;
}

/** How far, in lines, a finding may stand from where its forerunner would now be. */
const reach = 2;

/**
 * Gives gaps their identity and place in life (law 7). An id is given at first sight: a hash of criterion, artifact and
 * cited span with its white space folded. Later rounds carry it over by the exact span, else by criterion, artifact and
 * the line mapped through the change.
 *
 * @param found - The gaps of this review, with whatever ids the reviewers gave.
 * @param seen - Ids of every gap of earlier reviews of the run.
 */
export function identifyGaps(found: readonly Gap[], output: unknown, parent: ParentReview | undefined, seen: ReadonlySet<string>): Gap[] {
  const taken = new Set<string>();
  const ids = found.map((gap) => freshId(gap, taken));
  const earlier = new Map((parent?.gaps ?? []).map((gap) => [gap.id, gap]));
  const free = [...earlier.values()].filter((gap) => !taken.has(gap.id));
  return found.map((gap, index): Gap => {
    let id = ids[index] ?? '';
    const forerunner = parent === undefined || earlier.has(id) ? undefined : nearest(gap, free, parent.output, output);
    if (forerunner !== undefined) {
      free.splice(free.indexOf(forerunner), 1);
      id = forerunner.id;
    }
    return { ...gap, id, lifecycle: earlier.has(id) ? 'persisting' : seen.has(id) ? 'regressed' : 'new' };
  });
}

const knownIds = new Map<string, string>();

function freshId(gap: Gap, taken: Set<string>): string {
  const key = [gap.criterionId ?? gap.raisedBy ?? '', gap.affectedRequirement ?? '', gap.affectedArtifact ?? gap.location?.file ?? '', gap.evidence === undefined ? '' : fold(gap.evidence)].join(
    '\u0000',
  );
  let id = shortHash(key);
  for (let twin = 2; taken.has(id); twin += 1) id = shortHash(`${key}\u0000${twin}`);
  taken.add(id);
  return id;
}

/** Most gaps of a process repeat few keys, so the hash of a short key is kept. */
function shortHash(key: string): string {
  const known = knownIds.get(key);
  if (known !== undefined) return known;
  const id = `gap-${hashText(key).slice(0, 16)}`;
  if (key.length > 500) return id;
  if (knownIds.size >= 2000) knownIds.clear();
  knownIds.set(key, id);
  return id;
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function nearest(gap: Gap, candidates: readonly Gap[], before: unknown, after: unknown): Gap | undefined {
  const file = gap.location?.file;
  const line = gap.location?.line;
  if (file === undefined || line === undefined) return undefined;
  let best: Gap | undefined;
  let distance = reach + 1;
  let move: ((line: number) => number) | undefined;
  for (const candidate of candidates) {
    if (candidate.criterionId !== gap.criterionId || candidate.location?.file !== file || candidate.location.line === undefined) continue;
    move ??= lineMap(textAt(before, file), textAt(after, file));
    const away = Math.abs(move(candidate.location.line) - line);
    if (away < distance) {
      best = candidate;
      distance = away;
    }
  }
  return best;
}

function textAt(output: unknown, file: string): string {
  return artifactsOf(output).find((artifact) => artifact.path === file)?.content ?? '';
}

/** Where a line of `before` stands in `after`: lines outside the changed middle move with it, those inside keep their share of it. */
function lineMap(before: string, after: string): (line: number) => number {
  const old = before.split('\n');
  const now = after.split('\n');
  const shortest = Math.min(old.length, now.length);
  let head = 0;
  while (head < shortest && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const oldMiddle = old.length - head - tail;
  const nowMiddle = now.length - head - tail;
  return (line) => {
    if (line <= head) return line;
    if (line > old.length - tail) return line + now.length - old.length;
    return head + Math.max(1, Math.round(((line - head) * nowMiddle) / Math.max(1, oldMiddle)));
  };
}
