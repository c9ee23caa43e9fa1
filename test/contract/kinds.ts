import { describe, it } from 'vitest';
import type { AuditVerification, VerifyAuditOptions } from '@/adapters/stores/file/index.js';
import type { AuditRecord, AuditSink } from '@/ports/audit-chain.js';
import type { LessonStore } from '@/ports/lesson-store.js';
import type { Store } from '@/ports/store.js';
import type { VerdictStore } from '@/ports/verdict-store.js';
import type { ChecklistStore } from '@/products/checklist-gate/index.js';
import type { AttemptStore } from '@/products/task-review/index.js';
import {
  attemptStoreContract,
  auditSinkContract,
  type ContractCase,
  checklistStoreContract,
  lessonStoreContract,
  storeContract,
  verdictStoreContract,
} from '@/testing/index.js';

/** The stores of all kinds in one place. */
export interface Kinds {
  readonly runs: Store;
  readonly verdicts: VerdictStore;
  readonly lessons: LessonStore;
  readonly attempts: AttemptStore;
  readonly checklists: ChecklistStore;
  readonly audit: AuditSink;
  readonly verifyAudit: (options: VerifyAuditOptions) => Promise<AuditVerification>;
}

type Kind = Exclude<keyof Kinds, 'verifyAudit'>;

/** A place is one of its own for each case, and is opened by its name, also again. */
export interface Place<Held extends Partial<Kinds>> {
  readonly fresh: () => string;
  readonly open: (name: string) => Held | Promise<Held>;
  /** Whether the place forgets what its process forgets. */
  readonly forgets?: boolean;
}

export function keepsContracts<Held extends Partial<Kinds>>(
  { fresh, open, forgets = false }: Place<Held>,
  ...kinds: readonly (Kind & keyof Held)[]
): void {
  const names = new WeakMap<object, string>();
  const places = new WeakMap<object, Held>();
  function over<One extends Kind>(kind: One) {
    const at = async (name: string): Promise<Kinds[One]> => {
      const place = await open(name);
      const store = (place as unknown as Kinds)[kind];
      names.set(store, name);
      places.set(store, place);
      return store;
    };
    const reopen = (store: Kinds[One]) => at(names.get(store) ?? fresh());
    return [() => at(fresh()), forgets ? {} : { reopen }] as const;
  }
  const read = async (sink: AuditSink): Promise<readonly AuditRecord[]> => {
    const records: AuditRecord[] = [];
    await places.get(sink)?.verifyAudit?.({ onRecord: (record) => void records.push(record) });
    return records;
  };
  const [makeLog, again] = over('audit');
  const contracts: Readonly<Record<Kind, () => readonly ContractCase[]>> = {
    runs: () => storeContract(...over('runs')),
    verdicts: () => verdictStoreContract(...over('verdicts')),
    lessons: () => lessonStoreContract(...over('lessons')),
    attempts: () => attemptStoreContract(...over('attempts')),
    checklists: () => checklistStoreContract(...over('checklists')),
    audit: () => auditSinkContract(makeLog, { ...again, read }),
  };
  for (const kind of kinds)
    describe(kind, () => {
      for (const { name, run } of contracts[kind]()) it(name, run);
    });
}
