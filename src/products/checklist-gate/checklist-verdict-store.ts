import { type Assessment, isJudged, type JudgedAssessment } from '../../core/assessment.js';
import { digestOf } from '../../core/json.js';
import type {
  ChecklistItem,
  ChecklistPhase,
  ChecklistState,
} from '../../ports/checklist/checklist-state.js';
import type { ChecklistStore } from '../../ports/checklist/checklist-store.js';
import {
  type StoredVerdict,
  StoredVerdictSchema,
  type VerdictInputs,
  type VerdictStore,
  verdictKey,
} from '../../ports/verdict-store.js';
import { gapsOfItem, plainGapOf } from './checklist.js';
import { changeState, type StoredChecklist } from './stored-checklist.js';
import { type ItemResult, withReset, withResult } from './transitions.js';

/**
 * Returns the state of a phase as a verdict store, for your own pipelines. A verdict on an item
 * becomes the item's result. Other verdicts are stored beside the items. `ChecklistGate` needs no
 * such store.
 *
 * @example
 * ```ts
 * const verdicts = checklistVerdicts(fileChecklists('.qr'), 'plan-code');
 * const pipeline = definePipeline({ name: 'plan', reviewers, produce, verdicts });
 * ```
 */
export function checklistVerdicts(store: ChecklistStore, phase: ChecklistPhase): VerdictStore {
  return {
    get: async (key): Promise<StoredVerdict | undefined> => {
      const state = await store.read(phase);
      return state && structuredClone(findVerdict(state, key));
    },
    put: async (_key, verdict) => {
      await changeState({ store, phase }, (state) => withVerdict(state, structuredClone(verdict)));
    },
  };
}

/**
 * The state of a phase as the verdict store of a gate. A FAIL counts in its own iteration only. A
 * PASS counts whenever the content is the same. Verdicts that a run replays from an earlier
 * iteration change nothing.
 */
export class ChecklistVerdictStore implements VerdictStore {
  readonly #checklist: StoredChecklist;
  readonly #verifying = new Map<string, number>();
  readonly #last = new Map<string, StoredVerdict>();
  readonly #pending = new Set<Promise<void>>();
  #fault: unknown;

  constructor(checklist: StoredChecklist) {
    this.#checklist = checklist;
  }

  begin(id: string, iteration: number): void {
    this.#verifying.set(id, iteration);
  }

  readonly get = async (key: string): Promise<StoredVerdict | undefined> => {
    const { store, phase } = this.#checklist;
    const state = await this.#recordFault(() => store.read(phase));
    const found = state && findVerdict(state, key);
    const item = state?.items.find(({ id }) => id === found?.about.reviewer);
    if (state === undefined || found === undefined || item === undefined) return undefined;
    if (isVerdictOf(item, key)) {
      if (item.status !== 'PASS' && item.iteration !== state.iteration) return undefined;
    } else {
      if (found.assessments.some(({ verdict }) => verdict !== 'pass')) return undefined;
      await this.#update((now) => withVerdict(now, found));
    }
    this.#last.set(item.id, found);
    return found;
  };

  readonly put = async (_key: string, verdict: StoredVerdict): Promise<void> => {
    const { reviewer } = verdict.about;
    const iteration = this.#verifying.get(reviewer);
    this.#last.set(reviewer, verdict);
    if (iteration !== undefined) await this.#write(verdict, iteration);
  };

  reuse(id: string, assessments: readonly Assessment[], iteration: number): void {
    const last = this.#last.get(id);
    const judged = assessments.find(isJudged);
    const written = (
      last !== undefined
        ? this.#write(last, iteration)
        : judged !== undefined
          ? this.#writeFailure(id, judged, iteration)
          : Promise.resolve()
    ).catch(() => undefined);
    this.#pending.add(written);
    void written.finally(() => this.#pending.delete(written));
  }

  /** Waits for pending writes. @throws ReviewLoopError the first error of the store */
  async settle(): Promise<void> {
    await Promise.all(this.#pending);
    if (this.#fault !== undefined) throw this.#fault;
  }

  async #write(verdict: StoredVerdict, iteration: number): Promise<void> {
    const failed = verdict.assessments.some((assessment) => assessment.verdict === 'fail');
    const status = failed ? 'FAIL' : 'PASS';
    const key = verdictKey(verdict.about);
    await this.#update((state) => {
      const item = state.items.find(({ id }) => id === verdict.about.reviewer);
      const isWritten = item !== undefined && isVerdictOf(item, key) && item.status === status;
      return state.iteration !== iteration || isWritten ? state : withVerdict(state, verdict);
    });
  }

  async #writeFailure(id: string, judged: JudgedAssessment, iteration: number): Promise<void> {
    await this.#update((state) => {
      const item = state.items.find((candidate) => candidate.id === id);
      if (item?.status !== 'TODO' || judged.verdict === 'pass' || state.iteration !== iteration)
        return state;
      return withNewResult(state, item, resultOfAssessment(item, judged, { usage: {}, at: 0 }));
    });
  }

  async #update(change: (state: ChecklistState) => ChecklistState): Promise<void> {
    await this.#recordFault(() => changeState(this.#checklist, change));
  }

  /**
   * `settle` throws the first error: the engine ignores a failing verdict store; a gate must not.
   */
  async #recordFault<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      this.#fault ??= error;
      throw error;
    }
  }
}

function isVerdictOf({ id, status, about }: ChecklistItem, key: string): boolean {
  return status !== 'TODO' && about !== undefined && verdictKey({ reviewer: id, ...about }) === key;
}

/** Beyond these, the oldest are removed. */
const maxEarlierVerdicts = 1000;

export function assessmentOf(item: ChecklistItem): JudgedAssessment {
  const { id, status, finding, judged = {} } = item;
  const { usage: _usage, at: _at, score, explanation = finding ?? '', ...rest } = judged;
  const gaps = gapsOfItem(item);
  if (status === 'PASS')
    return { ...rest, verdict: 'pass', criterion: id, score: score ?? 1, explanation, gaps };
  return { ...rest, verdict: 'fail', criterion: id, score: score ?? 0, explanation, gaps };
}

/** `undefined` for TODO, and for a result without its inputs. */
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

function findVerdict(
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
function withVerdict(state: ChecklistState, verdict: StoredVerdict): ChecklistState {
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

/** Replaces any earlier result, even a PASS. */
function withNewResult(
  state: ChecklistState,
  { id, status }: ChecklistItem,
  result: ItemResult,
): ChecklistState {
  return withResult(status === 'PASS' ? withReset(state, new Set([id])) : state, id, result);
}

/** `undefined` unless the item is its only criterion. */
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

/** Leaves out what the item already contains. */
function resultOfAssessment(
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
