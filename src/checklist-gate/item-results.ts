import { isJudged, type JudgedAssessment } from '../core/assessment.js';
import { digestOf } from '../core/json.js';
import {
  type StoredVerdict,
  StoredVerdictSchema,
  type VerdictInputs,
  verdictKey,
} from '../ports/verdict-store.js';
import type { ChecklistItem, ChecklistState } from './checklist.js';
import { gapsOfItem, wholeGapOf } from './item-gaps.js';
import { type ItemResult, withReset, withVerdict } from './transitions.js';

/** How many verdicts over content that items no longer stand for are kept; the oldest go first. */
const mostKept = 1000;

/** The assessment that a verified item is. */
export function assessmentOf(item: ChecklistItem): JudgedAssessment {
  const { id, status, finding, judged = {} } = item;
  const { usage: _usage, at: _at, score, explanation = finding ?? '', ...rest } = judged;
  const gaps = gapsOfItem(item);
  if (status === 'PASS')
    return { ...rest, verdict: 'pass', criterion: id, score: score ?? 1, explanation, gaps };
  return { ...rest, verdict: 'fail', criterion: id, score: score ?? 0, explanation, gaps };
}

/** The verdict that an item holds; none where nobody judged it, or does not tell over what. */
function verdictOfItem(item: ChecklistItem): StoredVerdict | undefined {
  const { id, status, about, judged: { usage = {}, at = 0 } = {} } = item;
  if (about === undefined || status === 'TODO') return undefined;
  // what somebody spoilt by hand is as good as nothing: the item is verified again
  return StoredVerdictSchema.safeParse({
    schema: 1,
    about: { reviewer: id, ...about },
    assessments: [assessmentOf(item)],
    usage,
    at,
  }).data;
}

/** The verdict under a key, wherever a state has it. */
export function findVerdict(
  { items, verdicts = [] }: ChecklistState,
  key: string,
): StoredVerdict | undefined {
  const kept = verdicts.find(({ about }) => verdictKey(about as VerdictInputs) === key);
  if (kept !== undefined) return StoredVerdictSchema.safeParse(kept).data;
  const item = items.find(
    ({ id, about }) => about !== undefined && verdictKey({ reviewer: id, ...about }) === key,
  );
  return item && verdictOfItem(item);
}

/**
 * A state that has a verdict, once: as what its item says now, else among those that no item stands for. What the item said
 * before of other content goes there.
 */
export function withKept(state: ChecklistState, verdict: StoredVerdict): ChecklistState {
  const { reviewer } = verdict.about;
  const key = verdictKey(verdict.about);
  const others = (state.verdicts ?? []).filter(
    ({ about }) => verdictKey(about as VerdictInputs) !== key,
  );
  const item = state.items.find(({ id }) => id === reviewer);
  const said = item && saidOf(item, verdict);
  if (item === undefined || said === undefined)
    return withOthers(state, [...others, entryOf(verdict)]);
  const own = verdictOfItem(item);
  if (own !== undefined && digestOf(own) === digestOf(verdict)) return withOthers(state, others);
  const left =
    own === undefined || verdictKey(own.about) === key ? others : [...others, entryOf(own)];
  return withOthers(withSaid(state, item, said), left);
}

type VerdictEntry = NonNullable<ChecklistState['verdicts']>[number];

function entryOf(verdict: StoredVerdict): VerdictEntry {
  return { ...verdict, about: { ...verdict.about } };
}

/** A state with what was said of an item, whatever stood there. */
export function withSaid(
  state: ChecklistState,
  { id, status }: ChecklistItem,
  said: ItemResult,
): ChecklistState {
  return withVerdict(status === 'PASS' ? withReset(state, new Set([id])) : state, id, said);
}

/** What a verdict says of an item; `undefined` where an item cannot hold it: it is about several criteria, or another one. */
function saidOf(
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
  const { reviewer: _reviewer, ...what } = about;
  return { ...saidBy(item, assessment, { usage, at }), about: what };
}

/** What an assessment says of an item, without what follows from the rest of the item. */
export function saidBy(
  item: ChecklistItem,
  assessment: JudgedAssessment,
  cost: Pick<StoredVerdict, 'usage' | 'at'>,
): ItemResult {
  const { verdict, criterion: _criterion, gaps, explanation, score, ...rest } = assessment;
  const finding = verdict === 'pass' ? undefined : findingOf(assessment);
  const judged = {
    ...(score !== (verdict === 'pass' ? 1 : 0) && { score }),
    ...(explanation !== (finding ?? '') && { explanation }),
    ...costOf(cost),
    ...rest,
  };
  const plain = verdict === 'pass' ? [] : [wholeGapOf({ ...item, finding: finding ?? null })];
  return {
    status: verdict === 'pass' ? 'PASS' : 'FAIL',
    ...(finding !== undefined && { finding }),
    ...(digestOf(gaps) !== digestOf(plain) && { gaps }),
    ...(Object.keys(judged).length > 0 && { judged }),
  };
}

function costOf({
  usage,
  at,
}: Pick<StoredVerdict, 'usage' | 'at'>): Partial<Pick<StoredVerdict, 'usage' | 'at'>> {
  return { ...(Object.keys(usage).length > 0 && { usage }), ...(at > 0 && { at }) };
}

function findingOf({ explanation, gaps }: JudgedAssessment): string {
  const said =
    explanation.trim() === '' ? gaps.map(({ description }) => description).join('; ') : explanation;
  return said.trim() === '' ? 'failed without a finding' : said.trim();
}

function withOthers(
  state: ChecklistState,
  others: NonNullable<ChecklistState['verdicts']>,
): ChecklistState {
  const { verdicts = [], ...rest } = state;
  if (
    others.length === verdicts.length &&
    others.every((verdict, index) => verdict === verdicts[index])
  )
    return state;
  return others.length === 0 ? rest : { ...rest, verdicts: others.slice(-mostKept) };
}
