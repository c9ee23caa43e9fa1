import { ReviewLoopError } from '../core/errors.js';
import { call, checkTable, type OptionTable } from '../core/options.js';
import type { AttemptStore } from '../ports/attempt-store.js';
import type { AuditRecord, AuditSink } from '../ports/audit-chain.js';
import type { ChecklistStore } from '../ports/checklist/checklist-store.js';
import type { LessonStore } from '../ports/lesson-store.js';
import type { Store } from '../ports/store.js';
import type { VerdictStore } from '../ports/verdict-store.js';
import { attemptCases } from './attempt-cases.js';
import { auditCases } from './audit-cases.js';
import { checklistCases } from './checklist-cases.js';
import type { ContractCase, StoreCases } from './contract-case.js';
import { lessonCases } from './lesson-cases.js';
import { runCases } from './run-cases.js';
import { verdictCases } from './verdict-cases.js';

type Open<Kept> = (place: string) => Kept | Promise<Kept>;

/** How {@link storeContract} opens what is stored in one place: name each kind that the place keeps. */
export interface StoreContractOptions {
  /**
   * Makes a new empty place, such as a folder or a database, and returns its name.
   *
   * @default stores in memory: each case opens a new one, and nothing is opened again
   */
  readonly place?: () => string | Promise<string>;
  /** Opens the runs of a place. */
  readonly runs?: Open<Store>;
  /** Opens the verdicts of a place, with room for 100 of them. */
  readonly verdicts?: Open<VerdictStore>;
  /** Opens the lessons of a place. Stores with `lessons` must pass more cases. */
  readonly lessons?: Open<LessonStore>;
  /** Opens the attempts at tasks of a place. */
  readonly attempts?: Open<AttemptStore>;
  /** Opens the checklists of a place. */
  readonly checklists?: Open<ChecklistStore>;
  /** Opens the audit log of a place. */
  readonly audit?: Open<AuditSink>;
  /**
   * Returns the records of the audit log of a place, the oldest first.
   *
   * @default only what `record` returns is checked
   */
  readonly records?: (place: string) => Promise<readonly AuditRecord[]>;
}

const table = {
  ...{ place: call, runs: call, verdicts: call, lessons: call },
  ...{ attempts: call, checklists: call, audit: call, records: call },
} satisfies OptionTable<StoreContractOptions>;

/**
 * Returns the test cases that a store must pass, of each kind that it keeps. With `place`, a store is
 * opened again as another process would, and must still have what it was given.
 *
 * @throws ReviewLoopError `invalid_options` for an unknown option, or where no kind is named.
 * @example
 * ```ts
 * const cases = storeContract({ place: newFolder, runs: (folder) => fileStore(folder) });
 * for (const { name, run } of cases) test(name, run);
 * ```
 */
export function storeContract(options: StoreContractOptions): readonly ContractCase[] {
  checkTable('storeContract', table, options);
  const { place, runs, verdicts, lessons, attempts, checklists, audit, records } = options;
  const cases = [
    ...casesOf('runs', { place, open: runs, of: runCases }),
    ...casesOf('verdicts', { place, open: verdicts, of: verdictCases }),
    ...casesOf('lessons', { place, open: lessons, of: lessonCases }),
    ...casesOf('attempts', { place, open: attempts, of: attemptCases }),
    ...casesOf('checklists', { place, open: checklists, of: checklistCases }),
    ...casesOf('audit', { place, open: audit, of: auditCases(records) }),
  ];
  if (cases.length > 0) return cases;
  throw new ReviewLoopError('invalid_options', 'storeContract needs a store to try: `runs`');
}

interface KindCases<Kept> {
  readonly place: StoreContractOptions['place'];
  readonly open: Open<Kept> | undefined;
  readonly of: StoreCases<Kept>;
}

function casesOf<Kept>(kind: string, { place, open, of }: KindCases<Kept>): ContractCase[] {
  if (open === undefined) return [];
  const all = place === undefined ? of.cases : [...of.cases, ...of.reopened];
  return all.map(({ name, run }) => ({
    name: `${kind}: ${name}`,
    run: async () => {
      const at = place === undefined ? '' : await place();
      const kept = await open(at);
      await run(kept, () => (place === undefined ? kept : open(at)), at);
    },
  }));
}
