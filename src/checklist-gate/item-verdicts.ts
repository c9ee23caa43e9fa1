import { isJudged, type JudgedAssessment } from '../core/assessment.js';
import { digestOf } from '../core/json.js';
import {
  type StoredVerdict,
  StoredVerdictSchema,
  type VerdictInputs,
  verdictKey,
} from '../ports/verdict-store.js';
import { type ChecklistItem, type ChecklistState, gapsOfItem, plainGapOf } from './checklist.js';
import { type ItemResult, withReset, withResult } from './transitions.js';

/** The maximum number of verdicts on earlier content in a state. The oldest are removed. */
const maxEarlierVerdicts = 1000;

/** Returns the assessment of a verified item. */
export function assessmentOf(item: ChecklistItem): JudgedAssessment {
  const { id, status, finding, judged = {} } = item;
  const { usage: _usage, at: _at, score, explanation = finding ?? '', ...rest } = judged;
  const gaps = gapsOfItem(item);
  if (status === 'PASS')
    return { ...rest, verdict: 'pass', criterion: id, score: score ?? 1, explanation, gaps };
  return { ...rest, verdict: 'fail', criterion: id, score: score ?? 0, explanation, gaps };
}

/** Returns the verdict of an item; `undefined` for TODO, and for a result without its inputs. */
function verdictOfItem(item: ChecklistItem): StoredVerdict | undefined {
  const { id, status, about, judged: { usage = {}, at = 0 } = {} } = item;
  if (about === undefined || status === 'TODO') return undefined;
  // if a manual edit broke the verdict, the item is verified once more
  return StoredVerdictSchema.safeParse({
    schema: 1,
    about: { reviewer: id, ...about },
    assessments: [assessmentOf(item)],
    usage,
    at,
  }).data;
}

/** Returns the verdict with a key, from the items or from the verdicts beside them. */
export function findVerdict(
  { items, verdicts = [] }: ChecklistState,
  key: string,
): StoredVerdict | undefined {
  const earlier = verdicts.find(({ about }) => verdictKey(about as VerdictInputs) === key);
  if (earlier !== undefined) return StoredVerdictSchema.safeParse(earlier).data;
  const item = items.find(
    ({ id, about }) => about !== undefined && verdictKey({ reviewer: id, ...about }) === key,
  );
  return item && verdictOfItem(item);
}

/**
 * Returns a state that contains a verdict once: as the result of its item if possible, or else
 * beside the items. An earlier verdict of the item on other content moves beside the items.
 */
export function withVerdict(state: ChecklistState, verdict: StoredVerdict): ChecklistState {
  const { reviewer } = verdict.about;
  const key = verdictKey(verdict.about);
  const others = (state.verdicts ?? []).filter(
    ({ about }) => verdictKey(about as VerdictInputs) !== key,
  );
  const item = state.items.find(({ id }) => id === reviewer);
  const result = item && resultOfVerdict(item, verdict);
  if (item === undefined || result === undefined)
    return withEarlierVerdicts(state, [...others, entryOf(verdict)]);
  const own = verdictOfItem(item);
  if (own !== undefined && digestOf(own) === digestOf(verdict))
    return withEarlierVerdicts(state, others);
  const earlier =
    own === undefined || verdictKey(own.about) === key ? others : [...others, entryOf(own)];
  return withEarlierVerdicts(withNewResult(state, item, result), earlier);
}

type VerdictEntry = NonNullable<ChecklistState['verdicts']>[number];

function entryOf(verdict: StoredVerdict): VerdictEntry {
  return { ...verdict, about: { ...verdict.about } };
}

/** Returns a state with a new result of an item. It replaces any earlier result, even a PASS. */
export function withNewResult(
  state: ChecklistState,
  { id, status }: ChecklistItem,
  result: ItemResult,
): ChecklistState {
  return withResult(status === 'PASS' ? withReset(state, new Set([id])) : state, id, result);
}

/** Returns the result of a verdict; `undefined` unless the item is its only criterion. */
function resultOfVerdict(
  item: ChecklistItem,
  { about, assessments, usage, at }: StoredVerdict,
): ItemResult | undefined {
  const [assessment, ...more] = assessments;
  if (
    assessment === undefined ||
    more.length > 0 ||
    !isJudged(assessment) ||
    assessment.criterion !== item.id
  )
    return undefined;
  const { reviewer: _reviewer, ...inputs } = about;
  return { ...resultOfAssessment(item, assessment, { usage, at }), about: inputs };
}

/** Returns an assessment as the result of its item, without what the item already contains. */
export function resultOfAssessment(
  item: ChecklistItem,
  assessment: JudgedAssessment,
  cost: Pick<StoredVerdict, 'usage' | 'at'>,
): ItemResult {
  const { verdict, criterion: _criterion, gaps, explanation, score, ...rest } = assessment;
  const finding = verdict === 'pass' ? undefined : findingOf(assessment);
  const judged = {
    ...(score !== (verdict === 'pass' ? 1 : 0) && { score }),
    ...(explanation !== (finding ?? '') && { explanation }),
    ...knownCost(cost),
    ...rest,
  };
  const plain = verdict === 'pass' ? [] : [plainGapOf({ ...item, finding: finding ?? null })];
  return {
    status: verdict === 'pass' ? 'PASS' : 'FAIL',
    ...(finding !== undefined && { finding }),
    ...(digestOf(gaps) !== digestOf(plain) && { gaps }),
    ...(Object.keys(judged).length > 0 && { judged }),
  };
}

function knownCost({
  usage,
  at,
}: Pick<StoredVerdict, 'usage' | 'at'>): Partial<Pick<StoredVerdict, 'usage' | 'at'>> {
  return { ...(Object.keys(usage).length > 0 && { usage }), ...(at > 0 && { at }) };
}

function findingOf({ explanation, gaps }: JudgedAssessment): string {
  const finding =
    explanation.trim() === '' ? gaps.map(({ description }) => description).join('; ') : explanation;
  return finding.trim() === '' ? 'failed without a finding' : finding.trim();
}

function withEarlierVerdicts(
  state: ChecklistState,
  earlier: NonNullable<ChecklistState['verdicts']>,
): ChecklistState {
  const { verdicts = [], ...rest } = state;
  if (
    earlier.length === verdicts.length &&
    earlier.every((verdict, index) => verdict === verdicts[index])
  )
    return state;
  return earlier.length === 0 ? rest : { ...rest, verdicts: earlier.slice(-maxEarlierVerdicts) };
}
