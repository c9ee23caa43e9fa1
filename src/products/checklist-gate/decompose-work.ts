import { ReviewLoopError } from '../../core/errors.js';
import type { ChecklistItem, ChecklistState } from '../../ports/checklist/checklist-state.js';
import type { ChecklistDraft } from './checklist.js';
import { decomposeText, existingText } from './checklist-text.js';
import { checklistErrors } from './errors.js';
import type { GateSettings } from './gate-settings.js';
import { checklistMissing } from './stored-checklist.js';
import { newChecklist } from './transitions.js';

export interface DecomposeOptions {
  /** The paths under review; the state stores them. @default none */
  readonly inputs?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The result of a decomposition. */
export interface Decomposition {
  readonly items: readonly ChecklistItem[];
  /** False if the phase already had items, which stay unchanged. */
  readonly created: boolean;
  /** The result as text for a language model. */
  readonly text: string;
}

/** Breaks a work into items, unless the phase already has items. */
export async function decomposeWork<Work>(
  settings: GateSettings<Work>,
  work: Work,
  { inputs, signal }: DecomposeOptions,
): Promise<Decomposition> {
  const { store, phase, allowEmpty } = settings;
  const known = await store.read(phase);
  if (known !== undefined) return existing(settings, known, inputs);
  const drafts = await draftsOf(settings, work, signal);
  const first = {
    ...newChecklist(phase, drafts, { allowEmpty }),
    ...(inputs !== undefined && { inputs: [...inputs] }),
  };
  let created = false;
  const state = await store.update(phase, (now) => {
    created = now === undefined;
    return now ?? first;
  });
  if (!created) return existing(settings, state, inputs);
  return { items: state.items, created, text: decomposeText(state) };
}

/** A state without paths, as older tools write it, takes the given ones. */
async function existing<Work>(
  { store, phase }: GateSettings<Work>,
  known: ChecklistState,
  inputs: readonly string[] | undefined,
): Promise<Decomposition> {
  const state =
    inputs === undefined || known.inputs !== undefined
      ? known
      : await store.update(phase, (now = known) => ({ inputs: [...inputs], ...now }));
  const from = state.inputs;
  if (inputs !== undefined && from !== undefined && !isEqual(from, inputs))
    throw new ReviewLoopError(
      checklistErrors.checklist_exists,
      `${phase} was decomposed from ${from.join(', ')}, not from ${inputs.join(', ')}, and its items stay`,
      { value: inputs },
    );
  return { items: state.items, created: false, text: existingText(state) };
}

function isEqual(some: readonly string[], others: readonly string[]): boolean {
  const sorted = (paths: readonly string[]): string => JSON.stringify([...new Set(paths)].sort());
  return sorted(some) === sorted(others);
}

async function draftsOf<Work>(
  { phase, decompose, modules, provider, request }: GateSettings<Work>,
  work: Work,
  signal: AbortSignal | undefined,
): Promise<readonly ChecklistDraft[]> {
  if (decompose !== undefined) return decompose(work);
  if (modules.length === 0) throw checklistMissing(phase);
  const drafts: ChecklistDraft[] = [];
  for (const module of modules)
    drafts.push(
      ...(await module.decompose(work, { drafts: [...drafts], request, provider, signal })),
    );
  return drafts;
}
