import { runTable } from '../../blocks/pipeline/check-options.js';
import type { PipelineOptions } from '../../blocks/pipeline/pipeline-options.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { ReviewEventName, ReviewEvents } from '../../core/event.js';
import {
  call,
  checkTable,
  elsewhere,
  type Filled,
  flag,
  givenOf,
  invalid,
  like,
  type OptionTable,
  required,
  text,
  whole,
  withDefaults,
} from '../../core/options.js';
import type { StepContext } from '../../core/step.js';
import {
  type BlockingRow,
  type BlockingTable,
  checkBlocking,
} from '../../engine/policies/severity-by-iteration.js';
import {
  type ChecklistItem,
  type ChecklistPhase,
  ChecklistPhaseSchema,
  type ChecklistSeverity,
  ChecklistSeveritySchema,
} from '../../ports/checklist/checklist-state.js';
import type { ChecklistStore } from '../../ports/checklist/checklist-store.js';
import { memoryStore } from '../../ports/memory-store.js';
import { portTable } from '../../ports/port-table.js';
import type { AgentOutput } from '../self-review/agent.js';
import { type ChecklistDraft, gapSeverityOf } from './checklist.js';
import type {
  ChecklistModule,
  ChecklistRule,
  ItemAnswer,
  VerifyContext,
} from './checklist-module.js';
import type { FixGuidance } from './checklist-text.js';
import type { GateRules } from './gate-status.js';
import { selectItems } from './plan/select-items.js';

const defaults = <Work>() => ({
  ...{ verifyVersion: '1', allowEmpty: false, trustUnhashed: false },
  ...{ select: selectItems as unknown as (work: Work, scope: string) => unknown },
  runs: memoryStore(),
});

/** Checked options with every default filled in. */
export interface GateSettings<Work>
  extends GateRules,
    Filled<
      Omit<ChecklistGateOptions<Work>, 'decompose' | 'blocking' | 'maxIterations' | PortName>,
      keyof ReturnType<typeof defaults>
    > {
  readonly modules: readonly ChecklistModule<Work>[];
  /** The user's function, if the option is a function. */
  readonly decompose:
    | ((work: Work) => readonly ChecklistDraft[] | Promise<readonly ChecklistDraft[]>)
    | undefined;
  /** The rules of all modules by id. */
  readonly rules: ReadonlyMap<string, ChecklistRule<Work>>;
  readonly ports: GatePorts;
  /** Add the listeners of the gate to a pipeline. */
  readonly listeners: ((pipeline: EventSource) => void)[];
}

type PortName = keyof GatePorts;

export interface EventSource {
  readonly on: <Name extends ReviewEventName>(event: Name, listener: ReviewEvents[Name]) => unknown;
}

const defaultBlocking: BlockingTable = [
  { from: 1, blocks: 'minor' },
  { from: 3, blocks: 'major' },
  { from: 5, blocks: 'critical' },
];

const { limiter, clock, random, logger, audit, provider, store: runs } = portTable;

const ports = { limiter, clock, random, logger, audit, ...runTable };

const portNames = Object.keys(ports) as PortName[];

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

export function gateSettings<Work>(options: ChecklistGateOptions<Work>): GateSettings<Work> {
  checkTable('ChecklistGate', table, options);
  const { decompose, maxIterations: ceiling = 5, phase, blocking, ...more } = options;
  const modules = modulesOf(decompose, phase);
  return {
    ...withDefaults({ ...more, phase }, defaults<Work>()),
    ...{ modules, rules: rulesOf(modules), ceiling, blocking: blockingOf(blocking) },
    decompose: typeof decompose === 'function' ? decompose : undefined,
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

type GatePorts = Pick<
  PipelineOptions<never, never>,
  'limiter' | 'clock' | 'random' | 'logger' | 'audit' | 'retries' | 'timeouts' | 'human'
>;

export interface FixRunContext
  extends Pick<StepContext, 'signal' | 'step' | 'reportUsage' | 'ask'> {
  /** The iteration in which the items failed, from 1. */
  readonly iteration: number;
  /** The note of a person who asked for the fix. */
  readonly note?: string | undefined;
}

/** Options of a {@link ChecklistGate}: how it decomposes, verifies, decides and fixes. */
export interface ChecklistGateOptions<Work = AgentOutput>
  extends GatePorts,
    Pick<PipelineOptions<never, never>, 'provider'> {
  /** The phase under review. */
  readonly phase: ChecklistPhase;
  /** Stores the state of the phase: `fileChecklists(folder)` or `memoryChecklists()`. */
  readonly store: ChecklistStore;
  /**
   * Breaks the work into items, once per phase: modules, or a function. Without it, the phase must
   * already have a state.
   *
   * @default none
   */
  readonly decompose?:
    | ChecklistModule<Work>
    | readonly ChecklistModule<Work>[]
    | ((work: Work) => readonly ChecklistDraft[] | Promise<readonly ChecklistDraft[]>)
    | undefined;
  /**
   * Verifies items that have no rule. Without a provider they stay TODO.
   *
   * @default the `provider` verifies them
   */
  readonly verify?:
    | ((
        item: ChecklistItem,
        view: unknown,
        context: VerifyContext,
      ) => ItemAnswer | Promise<ItemAnswer>)
    | undefined;
  /**
   * The version of `verify`. Change it with `verify`: passed items are then verified again.
   *
   * @default '1'
   */
  readonly verifyVersion?: string | undefined;
  /**
   * The lowest severity that blocks, by iteration. The first row begins with iteration 1, and
   * `from` increases.
   *
   * @default MAY from 1, SHOULD from 3, MUST from 5
   */
  readonly blocking?:
    | readonly { readonly from: number; readonly blocks: ChecklistSeverity }[]
    | undefined;
  /** The iteration after which the gate asks a person; from 1. No prompt contains it. @default 5 */
  readonly maxIterations?: number | undefined;
  /** Fixes the failed items and returns the whole work; `run` calls it. @default none */
  readonly fix?:
    | ((work: Work, guidance: FixGuidance, context: FixRunContext) => Promise<Work>)
    | undefined;
  /**
   * Returns the part of the work that a scope selects, as JSON data.
   *
   * @default `selectItems`, for a work that is an `AgentOutput`
   */
  readonly select?: ((work: Work, scope: string) => unknown) | undefined;
  /** The request that the work answers; judges read it. @default none: judges read only the work */
  readonly request?: string | undefined;
  /** Whether a phase without items passes. @default false */
  readonly allowEmpty?: boolean | undefined;
  /** Whether a PASS without digests counts, as in files of schema 1.0. @default false */
  readonly trustUnhashed?: boolean | undefined;
  /** Stores the journals of `run`. @default memoryStore() */
  readonly runs?: PipelineOptions<never, never>['store'] | undefined;
}
