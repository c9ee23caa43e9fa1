import type { ChecklistDraft, ChecklistItem } from './checklist.js';
import { checklistMissing } from './checklist-store.js';
import { decomposeText } from './checklist-text.js';
import type { GateSettings } from './gate-settings.js';
import { newChecklist } from './transitions.js';

/** Options of `ChecklistGate.decompose`. */
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
  if (known !== undefined)
    return { items: known.items, created: false, text: decomposeText(known) };
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
  return { items: state.items, created, text: decomposeText(state) };
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
