import type { Judged } from '../../kernel/assessment.js';
import { isJudged } from '../../kernel/assessment.js';
import { type ChecklistItem, type ChecklistPhase, type ChecklistState, gapSeverityOf } from '../../kernel/checklist.js';
import { type ItemVerdict, withReset, withVerdict } from '../../kernel/checklist-changes.js';
import { ReviewLoopError } from '../../kernel/errors.js';
import type { Gap } from '../../kernel/gap.js';
import { digestOf } from '../../kernel/json.js';
import type { ChecklistStore } from '../../ports/checklist-store.js';
import { type Verdict, type VerdictStore, verdictKey } from '../../ports/verdict-store.js';
import { fixOf } from './checklist-text.js';

/**
 * The state of a phase as the engine's verdict store: an item holds one verdict, and what it is about. A FAIL stands for
 * the iteration that it was found in; what a run replays of an earlier one changes nothing.
 */
export class ChecklistVerdicts implements VerdictStore {
  readonly #store: ChecklistStore;
  readonly #phase: ChecklistPhase;
  /** The iteration in which each item is being verified, and its last verdict. */
  readonly #verifying = new Map<string, number>();
  readonly #last = new Map<string, { readonly verdict: Verdict }>();
  readonly #open = new Set<Promise<void>>();
  /** What could not be read or kept. */
  fault: unknown;

  constructor(store: ChecklistStore, phase: ChecklistPhase) {
    this.#store = store;
    this.#phase = phase;
  }

  /** Tells that an item is about to be verified. */
  begin(id: string, iteration: number): void {
    this.#verifying.set(id, iteration);
  }

  readonly get = async (key: string): Promise<Verdict | undefined> => {
    const state = await this.#known(() => this.#store.read(this.#phase));
    for (const item of state?.items ?? []) {
      const counts = item.status === 'PASS' || (item.status === 'FAIL' && item.iteration === state?.iteration);
      if (counts && item.about !== undefined && verdictKey({ reviewer: item.id, ...item.about }) === key) return verdictOf(item, item.about);
    }
    return undefined;
  };

  readonly put = async (_key: string, verdict: Verdict): Promise<void> => {
    this.#last.set(verdict.about.reviewer, { verdict });
    await this.#keep(verdict, this.#verifying.get(verdict.about.reviewer));
  };

  /** Keeps the verdict of an item that a run knew and did not ask for again. */
  again(id: string, iteration: number): void {
    const last = this.#last.get(id);
    if (last === undefined) return;
    const kept = this.#keep(last.verdict, iteration).catch(() => undefined);
    this.#open.add(kept);
    void kept.finally(() => this.#open.delete(kept));
  }

  /** Waits for what is being kept. @throws ReviewLoopError what could not be kept */
  async settle(): Promise<void> {
    await Promise.all(this.#open);
    if (this.fault !== undefined) throw this.fault;
  }

  async #keep({ about, assessments }: Verdict, iteration: number | undefined): Promise<void> {
    const { reviewer: id, version, task, view } = about;
    const judged = assessments.find((assessment): assessment is Judged => isJudged(assessment));
    if (judged === undefined || iteration === undefined) return;
    const said = { ...saidBy(judged), about: { version, task, view } };
    await this.#known(() =>
      this.#store.update(this.#phase, (state) => {
        if (state === undefined) throw missing(this.#phase);
        return state.iteration === iteration ? withSaid(state, id, said) : state;
      }),
    );
  }

  /** The engine asks again, or goes on, when a store fails; a gate must not. */
  async #known<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      this.fault ??= error;
      throw error;
    }
  }
}

/** A state with a verdict that may be known already; what has changed since it passed is judged anew. */
function withSaid(state: ChecklistState, id: string, said: ItemVerdict): ChecklistState {
  const item = state.items.find((candidate) => candidate.id === id);
  if (item === undefined || (item.status === said.status && item.about !== undefined && digestOf(item.about) === digestOf(said.about))) return state;
  return withVerdict(item.status === 'PASS' ? withReset(state, new Set([id])) : state, id, said);
}

/** The error of a phase without a state. */
export function missing(phase: ChecklistPhase): ReviewLoopError {
  return new ReviewLoopError('checklist_missing', `QR state file not found: qr-${phase}.json`, { value: phase });
}

function saidBy({ verdict, explanation, gaps }: Judged): { readonly status: string; readonly finding?: string; readonly fix?: string } {
  if (verdict === 'pass') return { status: 'PASS' };
  const said = explanation.trim() === '' ? gaps.map(({ description }) => description).join('; ') : explanation;
  const fixes = [...new Set(gaps.map(({ suggestedFix }) => suggestedFix).filter((fix) => fix.trim() !== ''))].join('\n');
  return { status: 'FAIL', finding: said.trim() === '' ? 'failed without a finding' : said, ...(fixes !== '' && { fix: fixes }) };
}

function verdictOf(item: ChecklistItem, about: NonNullable<ChecklistItem['about']>): Verdict {
  return { schema: 1, about: { reviewer: item.id, ...about }, assessments: [assessmentOf(item)], usage: {}, at: 0 };
}

/** The assessment that a verified item is. */
export function assessmentOf(item: ChecklistItem): Judged {
  const { id, status, finding } = item;
  if (status === 'PASS') return { verdict: 'pass', criterion: id, score: 1, explanation: '', gaps: [] };
  return { verdict: 'fail', criterion: id, score: 0, explanation: finding ?? '', gaps: [gapOf(item)] };
}

/** The gap that a failed item is; an accepted one does not block. */
function gapOf(item: ChecklistItem): Gap {
  const { id, severity, finding, check, accepted } = item;
  return {
    id: '',
    severity: gapSeverityOf(severity),
    category: 'quality',
    description: finding ?? check,
    suggestedFix: fixOf(item),
    estimatedEffort: 'medium',
    autoFixable: true,
    criterionId: id,
    ...(accepted !== undefined && { standing: 'waived' as const }),
  };
}
