import type { JudgedAssessment } from './assessment.js';
import type { Gap } from './gap.js';
import { hashText } from './hash.js';

export interface KnownGaps {
  readonly ids?: ReadonlyMap<number, string> | undefined;
  readonly earlier?: ReadonlySet<string> | undefined;
  readonly seen: ReadonlySet<string>;
}

/** A gap that takes over no id gets the hash of its key. */
export function namedGaps(found: readonly Gap[], { ids, earlier, seen }: KnownGaps): Gap[] {
  const taken = new Set(ids?.values());
  const twins = new Map<string, number>();
  return found.map((gap, index): Gap => {
    const id = ids?.get(index) ?? freshId(keyOf(gap), taken, twins);
    const named = { ...gap };
    named.id = id;
    named.lifecycle = earlier?.has(id) ? 'persisting' : seen.has(id) ? 'regressed' : 'new';
    return named;
  });
}

/** The line does not count. */
export function keyOf(gap: Gap): string {
  const source = gap.criterionId ?? gap.raisedBy ?? '';
  const artifact = gap.affectedArtifact ?? gap.location?.file ?? '';
  const about = `${source}\u0000${gap.affectedRequirement ?? ''}\u0000${artifact}`;
  return gap.evidence === undefined ? about : `${about}\u0000${fold(gap.evidence)}`;
}

const knownIds = new Map<string, string>();

/** Equal keys go on counting where the last one stopped. */
function freshId(key: string, taken: Set<string>, twins: Map<string, number>): string {
  let twin = twins.get(key) ?? 1;
  let id = '';
  do {
    id = shortHash(twin === 1 ? key : `${key}\u0000${twin}`);
    twin += 1;
  } while (taken.has(id));
  twins.set(key, twin);
  taken.add(id);
  return id;
}

/** Most gaps repeat a few keys, so the hashes of short keys are cached. */
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

/** A failure without gaps gets one. */
export function signedGaps(assessment: JudgedAssessment, reviewer: string): readonly Gap[] {
  const { criterion, verdict, gaps } = assessment;
  if (gaps.length === 0) return verdict === 'fail' ? [unexplained(assessment, reviewer)] : gaps;
  const isSigned = (gap: Gap): boolean =>
    gap.raisedBy === reviewer && gap.criterionId !== undefined;
  if (gaps.every(isSigned)) return gaps;
  return gaps.map((gap) =>
    isSigned(gap) ? gap : { ...gap, criterionId: gap.criterionId ?? criterion, raisedBy: reviewer },
  );
}

function unexplained(
  { criterion, explanation, category = 'quality' }: JudgedAssessment,
  reviewer: string,
): Gap {
  const description = explanation === '' ? criterion : `${criterion}: ${explanation}`;
  return {
    id: '',
    severity: 'major',
    category,
    description,
    suggestedFix: description,
    estimatedEffort: 'medium',
    autoFixable: true,
    criterionId: criterion,
    raisedBy: reviewer,
  };
}
