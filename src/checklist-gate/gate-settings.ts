import { ReviewLoopError } from '../core/errors.js';
import type { ReviewEventName, ReviewEvents } from '../core/event.js';
import type { LLMProvider } from '../core/llm-provider.js';
import {
  call,
  checkTable,
  elsewhere,
  flag,
  givenOf,
  invalid,
  like,
  type OptionTable,
  required,
  text,
  whole,
} from '../core/options.js';
import { runTable } from '../pipeline/check-options.js';
import {
  type BlockingRow,
  type BlockingTable,
  checkBlocking,
} from '../policies/severity-by-iteration.js';
import { memoryStore } from '../ports/memory-store.js';
import { portTable } from '../ports/port-table.js';
import type { Store } from '../ports/store.js';
import {
  type ChecklistDraft,
  type ChecklistPhase,
  ChecklistPhaseSchema,
  type ChecklistSeverity,
  ChecklistSeveritySchema,
  gapSeverityOf,
} from './checklist.js';
import type { ChecklistModule, ChecklistRule } from './checklist-module.js';
import type { ChecklistGateOptions, GatePorts } from './gate-options.js';
import type { GateRules } from './gate-status.js';
import { selectItems } from './plan/select-items.js';

/** Checked options with every default filled in. */
export interface GateSettings<Work>
  extends GateRules,
    Pick<ChecklistGateOptions<Work>, 'phase' | 'verify' | 'fix' | 'request' | 'store'> {
  readonly provider: LLMProvider | undefined;
  readonly modules: readonly ChecklistModule<Work>[];
  /** The user's function, if the option is a function. */
  readonly decompose:
    | ((work: Work) => readonly ChecklistDraft[] | Promise<readonly ChecklistDraft[]>)
    | undefined;
  /** The rules of all modules by id. */
  readonly rules: ReadonlyMap<string, ChecklistRule<Work>>;
  readonly select: (work: Work, scope: string) => unknown;
  readonly verifyVersion: string;
  readonly runs: Store;
  readonly ports: GatePorts;
  /** Add the listeners of the gate to a pipeline. */
  readonly listeners: ((pipeline: EventSource) => void)[];
}

/** What sends events: a pipeline. */
export interface EventSource {
  readonly on: <Name extends ReviewEventName>(event: Name, listener: ReviewEvents[Name]) => unknown;
}

/** All severities block in iterations 1 and 2, MUST and SHOULD in 3 and 4, MUST from 5 on. */
const defaultBlocking: BlockingTable = [
  { from: 1, blocks: 'minor' },
  { from: 3, blocks: 'major' },
  { from: 5, blocks: 'critical' },
];

const { limiter, clock, random, logger, audit, provider, store: runs } = portTable;
const ports = { limiter, clock, random, logger, audit, ...runTable };
const portNames = Object.keys(ports) as (keyof typeof ports)[];

const table: OptionTable<ChecklistGateOptions<never>> = {
  phase: required((name, value) => {
    const phases = ChecklistPhaseSchema.options;
    if (!phases.some((phase) => phase === value))
      throw invalid(name, `one of ${phases.join(', ')}`, value);
  }),
  store: required(like('a checklist store, with `read` and `update`', 'read', 'update')),
  ...{ verify: call, fix: call, select: call, allowEmpty: flag, trustUnhashed: flag },
  ...{ decompose: elsewhere(), verifyVersion: text, blocking: elsewhere(), request: text },
  maxIterations: whole(1),
  ...{ runs, provider, ...ports },
};

/** @throws ReviewLoopError `invalid_options`, `duplicate_id` */
export function gateSettings<Work>(options: ChecklistGateOptions<Work>): GateSettings<Work> {
  checkTable('ChecklistGate', table, options);
  const { decompose, maxIterations = 5, phase } = options;
  const modules = modulesOf(decompose, phase);
  return {
    phase,
    store: options.store,
    modules,
    decompose: typeof decompose === 'function' ? decompose : undefined,
    rules: rulesOf(modules),
    verify: options.verify,
    verifyVersion: options.verifyVersion ?? '1',
    provider: options.provider,
    blocking: blockingOf(options.blocking),
    ceiling: maxIterations,
    allowEmpty: options.allowEmpty ?? false,
    trustUnhashed: options.trustUnhashed ?? false,
    request: options.request,
    fix: options.fix,
    select: options.select ?? (selectItems as unknown as (work: Work, scope: string) => unknown),
    runs: options.runs ?? memoryStore(),
    ports: givenOf(options, portNames),
    listeners: [],
  };
}

function blockingOf(rows: ChecklistGateOptions['blocking']): BlockingTable {
  if (rows === undefined) return defaultBlocking;
  if (!Array.isArray(rows)) throw invalid('blocking', 'a list of rows { from, blocks }', rows);
  const table = rows.map(
    (row: { readonly from: number; readonly blocks: ChecklistSeverity }, index): BlockingRow => {
      const word = ChecklistSeveritySchema.safeParse(row?.blocks);
      if (!word.success)
        throw invalid(`blocking[${index}].blocks`, 'MUST, SHOULD or MAY', row?.blocks);
      return { from: row.from, blocks: gapSeverityOf(word.data) };
    },
  ) as unknown as BlockingTable;
  checkBlocking(table);
  return table;
}

function modulesOf<Work>(
  given: ChecklistGateOptions<Work>['decompose'],
  phase: ChecklistPhase,
): readonly ChecklistModule<Work>[] {
  if (given === undefined || typeof given === 'function') return [];
  const modules = (Array.isArray(given) ? given : [given]) as readonly ChecklistModule<Work>[];
  if (modules.length === 0) throw invalid('decompose', 'at least one module, or a function', given);
  for (const module of modules) {
    if (typeof module?.decompose !== 'function' || !Array.isArray(module.rules))
      throw invalid('decompose', 'modules with `decompose` and `rules`, or a function', module);
    if (module.phase !== phase)
      throw invalid(
        'decompose',
        `modules of phase ${phase}`,
        `${module.name} of phase ${module.phase}`,
      );
  }
  return modules;
}

function rulesOf<Work>(
  modules: readonly ChecklistModule<Work>[],
): ReadonlyMap<string, ChecklistRule<Work>> {
  const rules = new Map<string, ChecklistRule<Work>>();
  for (const rule of modules.flatMap((module) => module.rules)) {
    const other = rules.get(rule.id);
    if (other !== undefined && other !== rule)
      throw new ReviewLoopError('duplicate_id', `decompose: two rules have the id ${rule.id}`);
    rules.set(rule.id, rule);
  }
  return rules;
}
