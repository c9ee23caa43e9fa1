import { artifactsOf } from './artifact.js';
import type { Gap } from './gap.js';
import { keyOf, namedGaps } from './named-gaps.js';

export interface ParentReview {
  /** Its gaps, and earlier ones of which nobody knows whether they are still there. */
  readonly gaps: readonly Gap[];
  readonly output: unknown;
}

/** How many lines a reworded finding may be away from the expected line of the earlier one. */
const reach = 2;

/**
 * Returns the gaps with ids and lifecycles. The id of a new gap is a hash of criterion, artifact
 * and quoted text, with white space folded. A later review finds the same gap by its quoted text.
 * If the text differs, criterion, artifact and line decide; the line is mapped through the change.
 * If several findings quote the same text, the nearest lines belong together.
 *
 * @param found - The gaps of this review. Their ids are replaced.
 * @param seen - The ids of all gaps of earlier reviews of the run.
 */
export function identifyGaps(
  found: readonly Gap[],
  output: unknown,
  parent: ParentReview | undefined,
  seen: ReadonlySet<string>,
): Gap[] {
  if (parent === undefined || parent.gaps.length === 0) return namedGaps(found, { seen });
  const ids = carriedIds({ found, keys: found.map(keyOf), output }, parent);
  return namedGaps(found, { ids, earlier: new Set(parent.gaps.map((gap) => gap.id)), seen });
}

interface Sighting {
  readonly found: readonly Gap[];
  readonly keys: readonly string[];
  readonly output: unknown;
}

function carriedIds({ found, keys, output }: Sighting, parent: ParentReview): Map<number, string> {
  const free = new Set(parent.gaps);
  const ids = new Map<number, string>();
  const maps = new Map<string, (line: number) => number>();
  const moved = (gap: Gap): number | undefined => {
    const { file, line } = gap.location ?? {};
    if (file === undefined || line === undefined) return undefined;
    const map = maps.get(file) ?? lineMap(textAt(parent.output, file), textAt(output, file));
    maps.set(file, map);
    return map(line);
  };
  const carry = (candidatesOf: (index: number) => readonly Gap[], within: number): void => {
    const pairs = found.flatMap((gap, index) =>
      ids.has(index)
        ? []
        : candidatesOf(index).map((before) => ({
            index,
            before,
            away: distance(moved(before), gap.location?.line),
          })),
    );
    for (const { index, before } of pairs
      .filter((pair) => pair.away <= within)
      .sort((a, b) => a.away - b.away)) {
      if (ids.has(index) || !free.delete(before)) continue;
      ids.set(index, before.id);
    }
  };
  const byKey = grouped(parent.gaps, keyOf);
  carry((index) => few(byKey.get(keys[index] ?? '')), Number.POSITIVE_INFINITY);
  if (free.size === 0 || ids.size === found.length) return ids;
  const byPlace = grouped([...free], placeOf);
  carry(
    (index) =>
      found[index]?.location?.line === undefined ? [] : few(byPlace.get(placeOf(found[index]))),
    reach,
  );
  return ids;
}

/** If comparing all pairs would take long, only their order decides. */
function few(candidates: readonly Gap[] = []): readonly Gap[] {
  return candidates.length > 300 ? [] : candidates;
}

function distance(a: number | undefined, b: number | undefined): number {
  if (a === undefined && b === undefined) return 0;
  return a === undefined || b === undefined ? Number.MAX_SAFE_INTEGER : Math.abs(a - b);
}

function placeOf(gap: Gap | undefined): string {
  return `${gap?.criterionId ?? ''}\u0000${gap?.location?.file ?? ''}`;
}

function grouped(gaps: readonly Gap[], keyed: (gap: Gap) => string): Map<string, Gap[]> {
  const groups = new Map<string, Gap[]>();
  for (const gap of gaps) {
    const key = keyed(gap);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [gap]);
    else group.push(gap);
  }
  return groups;
}

function textAt(output: unknown, file: string): string {
  if (typeof output === 'string') return output;
  return artifactsOf(output).find((artifact) => artifact.path === file)?.content ?? '';
}

/** Lines inside the changed middle keep their relative position. */
function lineMap(before: string, after: string): (line: number) => number {
  const old = before.split('\n');
  const now = after.split('\n');
  const shortest = Math.min(old.length, now.length);
  let head = 0;
  while (head < shortest && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && old[old.length - 1 - tail] === now[now.length - 1 - tail])
    tail += 1;
  const oldMiddle = old.length - head - tail;
  const nowMiddle = now.length - head - tail;
  return (line) => {
    if (line <= head) return line;
    if (line > old.length - tail) return line + now.length - old.length;
    return head + Math.max(1, Math.round(((line - head) * nowMiddle) / Math.max(1, oldMiddle)));
  };
}
