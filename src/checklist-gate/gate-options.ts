import { ReviewLoopError } from '../core/errors.js';
import type { LLMProvider } from '../core/llm-provider.js';
import { checkKeys, checkWhole, invalid } from '../core/options.js';
import type { StepContext } from '../core/step.js';
import type { PipelineOptions } from '../pipeline/pipeline-options.js';
import {
  type BlockingRow,
  type BlockingTable,
  checkBlocking,
  seedBlocking,
} from '../policies/blocking-table.js';
import { memoryStore } from '../ports/memory-store.js';
import type { AgentOutput } from '../self-review/agent.js';
import {
  type ChecklistDraft,
  type ChecklistItem,
  type ChecklistPhase,
  ChecklistPhaseSchema,
  type ChecklistSeverity,
  ChecklistSeveritySchema,
  gapSeverityOf,
} from './checklist.js';
import type {
  ChecklistModule,
  ChecklistRule,
  ItemAnswer,
  VerifyContext,
} from './checklist-module.js';
import type { ChecklistStore } from './checklist-store.js';
import type { FixGuidance } from './fix-guidance.js';
import type { GateRules } from './gate-status.js';
import { selectItems } from './select-items.js';

type Ports = Pick<
  PipelineOptions<never, never>,
  | 'store'
  | 'limiter'
  | 'clock'
  | 'random'
  | 'logger'
  | 'audit'
  | 'retries'
  | 'timeouts'
  | 'provider'
  | 'human'
>;

/** What a fixer receives beside the work and its guidance. */
export interface FixRunContext extends Pick<StepContext, 'signal' | 'step' | 'reportUsage'> {
  /** The iteration that found what failed. */
  readonly iteration: number;
  /** What a person said. */
  readonly note?: string | undefined;
}

/** How a {@link ChecklistGate} decomposes, verifies and decides. */
export interface ChecklistGateOptions<Work = AgentOutput> extends Omit<Ports, 'store'> {
  readonly phase: ChecklistPhase;
  /** Breaks the work into items, once per phase: ready modules, or a function. Without it the phase must have been decomposed. */
  readonly decompose?:
    | ChecklistModule<Work>
    | readonly ChecklistModule<Work>[]
    | ((work: Work) => readonly ChecklistDraft[] | Promise<readonly ChecklistDraft[]>)
    | undefined;
  /** Verifies items without a rule. @default the `provider`; without one they stay TODO */
  readonly verify?:
    | ((
        item: ChecklistItem,
        view: unknown,
        context: VerifyContext,
      ) => ItemAnswer | Promise<ItemAnswer>)
    | undefined;
  /** Change it when `verify` changes: items that passed are verified anew. @default '1' */
  readonly verifyVersion?: string | undefined;
  /** Which severities block from which iteration on. @default all from 1, MUST and SHOULD from 3, MUST from 5 */
  readonly blocking?:
    | readonly { readonly from: number; readonly blocks: ChecklistSeverity }[]
    | undefined;
  /** Where the state of the phase is kept. */
  readonly store: ChecklistStore;
  /** After how many iterations a person is asked. Models are not told. @default 5 */
  readonly maxIterations?: number | undefined;
  /** Repairs what failed, for `run`; returns the whole work. */
  readonly fix?:
    | ((work: Work, guidance: FixGuidance, context: FixRunContext) => Promise<Work>)
    | undefined;
  /** What a scope selects of the work, as JSON data. @default selectItems, for works that are an `AgentOutput` */
  readonly select?: ((work: Work, scope: string) => unknown) | undefined;
  /** What was asked for; judges are shown it. @default they are shown the work alone */
  readonly request?: string | undefined;
  /** Whether a phase without items passes. @default false */
  readonly allowEmpty?: boolean | undefined;
  /** Whether a PASS counts that does not tell over which content it was given, as those of schema 1.0. @default false */
  readonly trustUnhashed?: boolean | undefined;
  /** Keeps the journals of `run`. @default memoryStore() */
  readonly runs?: PipelineOptions<never, never>['store'] | undefined;
}

/** Checked options with every default filled in. */
export interface GateSettings<Work>
  extends GateRules,
    Pick<ChecklistGateOptions<Work>, 'phase' | 'verify' | 'fix' | 'request' | 'store'> {
  readonly provider: LLMProvider | undefined;
  readonly modules: readonly ChecklistModule<Work>[];
  readonly decompose:
    | ((work: Work) => readonly ChecklistDraft[] | Promise<readonly ChecklistDraft[]>)
    | undefined;
  readonly rules: ReadonlyMap<string, ChecklistRule<Work>>;
  readonly select: (work: Work, scope: string) => unknown;
  readonly verifyVersion: string;
  readonly runs: NonNullable<PipelineOptions<never, never>['store']>;
  readonly ports: Omit<Ports, 'store' | 'provider'>;
}

const names = [
  ...[
    'phase',
    'decompose',
    'verify',
    'verifyVersion',
    'blocking',
    'store',
    'maxIterations',
    'fix',
    'select',
    'request',
    'allowEmpty',
    'trustUnhashed',
    'runs',
  ],
  ...['limiter', 'clock', 'random', 'logger', 'audit', 'retries', 'timeouts', 'provider', 'human'],
];

/** @throws ReviewLoopError `invalid_options`, `duplicate_id` */
export function checkedGate<Work>(options: ChecklistGateOptions<Work>): GateSettings<Work> {
  if (typeof options !== 'object' || options === null)
    throw invalid('options', 'an object', options);
  checkKeys('ChecklistGate', options, names);
  const {
    phase,
    decompose,
    store,
    maxIterations = 5,
    verify,
    verifyVersion = '1',
    allowEmpty = false,
    trustUnhashed = false,
    request,
    fix,
    provider,
    runs = memoryStore(),
  } = options;
  checkParts(options);
  checkWhole('maxIterations', maxIterations, 1);
  const blocking = tableOf(options.blocking);
  const modules = modulesOf(decompose, phase);
  const select =
    options.select ?? (selectItems as unknown as (work: Work, scope: string) => unknown);
  return {
    ...{
      phase,
      modules,
      verify,
      verifyVersion,
      blocking,
      ceiling: maxIterations,
      allowEmpty,
      trustUnhashed,
      request,
      fix,
      provider,
      store,
      runs,
      select,
    },
    decompose: typeof decompose === 'function' ? decompose : undefined,
    rules: rulesOf(modules),
    ports: portsOf(options),
  };
}

function checkParts<Work>(options: ChecklistGateOptions<Work>): void {
  const { phase, store } = options;
  if (!ChecklistPhaseSchema.safeParse(phase).success)
    throw invalid('phase', `one of ${ChecklistPhaseSchema.options.join(', ')}`, phase);
  if (typeof store?.read !== 'function' || typeof store.update !== 'function')
    throw invalid('store', 'a checklist store, with `read` and `update`', store);
  for (const name of ['verify', 'fix', 'select'] as const)
    if (options[name] !== undefined && typeof options[name] !== 'function')
      throw invalid(name, 'a function', options[name]);
  for (const name of ['allowEmpty', 'trustUnhashed'] as const)
    if (options[name] !== undefined && typeof options[name] !== 'boolean')
      throw invalid(name, 'true or false', options[name]);
}

function tableOf(rows: ChecklistGateOptions['blocking']): BlockingTable {
  if (rows === undefined) return seedBlocking;
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
      throw new ReviewLoopError('duplicate_id', `two rules have the id ${rule.id}`);
    rules.set(rule.id, rule);
  }
  return rules;
}

function portsOf<Work>({
  limiter,
  clock,
  random,
  logger,
  audit,
  retries,
  timeouts,
  human,
}: ChecklistGateOptions<Work>): GateSettings<Work>['ports'] {
  return {
    ...(limiter && { limiter }),
    ...(clock && { clock }),
    ...(random && { random }),
    ...(logger && { logger }),
    ...(audit && { audit }),
    ...(retries !== undefined && { retries }),
    ...(timeouts && { timeouts }),
    ...(human && { human }),
  };
}
