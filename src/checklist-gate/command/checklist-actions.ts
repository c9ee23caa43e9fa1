import { relative, resolve, sep } from 'node:path';
import type { Flag, SettingsOf } from '../../cli-kit/flags/flag.js';
import { artifactTypes } from '../../cli-kit/inputs/artifact-type.js';
import { readInputs } from '../../cli-kit/inputs/read-inputs.js';
import type { Io } from '../../cli-kit/io.js';
import { chooseProvider } from '../../cli-kit/provider/choose-provider.js';
import { type ProviderSettings, providerChoice } from '../../cli-kit/provider/provider-choice.js';
import { userName } from '../../cli-kit/user-name.js';
import { ReviewLoopError } from '../../core/errors.js';
import { type Location, LocationSchema } from '../../core/gap.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { gitApplyCheck } from '../../git/apply-check.js';
import type { AgentOutput } from '../../self-review/agent.js';
import { fileAudit, fileChecklists } from '../../stores/file/index.js';
import { type ChecklistPhase, ChecklistPhaseSchema, ChecklistStatusSchema } from '../checklist.js';
import { ChecklistGate } from '../checklist-gate.js';
import { itemLine, summaryText } from '../checklist-text.js';
import { checklistModules } from '../modules/checklist-modules.js';
import { type DroppedItem, modelChecklist } from '../modules/model-checklist.js';
import { encodeChecklist } from '../state-format.js';
import type { checklistFlags } from './checklist-flags.js';
import { entityResult } from './checklist-xml.js';

/** One call of a command of `reviewloop checklist`. */
export interface ChecklistCall<Flags extends readonly Flag[]> {
  readonly io: Io;
  readonly settings: SettingsOf<Flags>;
}

/** A call, as far as all commands have it. */
interface GateCall {
  readonly io: Io;
  readonly settings: Omit<SettingsOf<typeof checklistFlags.status>, 'paths'>;
}

/** What a command prints, and its exit code. */
export interface ChecklistAnswer {
  readonly text: string;
  readonly code?: number;
}

type Call<Name extends keyof typeof checklistFlags> = ChecklistCall<(typeof checklistFlags)[Name]>;

/** The commands of `reviewloop checklist`. */
export const checklistActions = {
  decompose,
  verify,
  fix,
  status,
  list,
  update,
  accept,
};

async function decompose(call: Call<'decompose'>): Promise<ChecklistAnswer> {
  const { io, settings } = call;
  const { paths } = settings;
  if (paths.length === 0)
    throw new ReviewLoopError('no_artifacts', 'paths of what is reviewed are required');
  const folder = folderOf(call);
  const inputs = paths.map(
    (path) => relative(folder, resolve(io.cwd, path)).split(sep).join('/') || '.',
  );
  const gate = gateOf(call, { provider: await providerOf(call) });
  return gate.decompose(await worked(call, paths), { inputs, signal: io.signal });
}

async function verify(call: Call<'verify'>): Promise<ChecklistAnswer> {
  const { paths, bit: onlyBit, trustUnhashed } = call.settings;
  const gate = gateOf(call, { provider: await providerOf(call), trustUnhashed });
  const { text, status: bit } = await gate.verify(await workOf(call, gate, paths), {
    signal: call.io.signal,
  });
  return { text: onlyBit ? bit : text, code: bit === 'PASS' ? 0 : 50 };
}

async function fix(call: Call<'fix'>): Promise<ChecklistAnswer> {
  const gate = gateOf(call);
  if (call.settings.applied) return { text: await gate.fixesApplied() };
  const { text, prompt } = await gate.fixGuidance();
  return { text: call.settings.qrFail ? prompt : text };
}

async function status(call: Call<'status'>): Promise<ChecklistAnswer> {
  const gate = gateOf(call);
  const found = await gate.status(
    call.settings.paths.length > 0 ? await worked(call, call.settings.paths) : undefined,
  );
  return { text: summaryText(phaseOf(call), found) };
}

async function list(call: Call<'list'>): Promise<ChecklistAnswer> {
  const { status: wanted, schema } = call.settings;
  const state = await gateOf(call).state();
  if (schema !== undefined) {
    if (schema !== '1.0' && schema !== '1.1')
      throw new ReviewLoopError('usage', `--schema is 1.0 or 1.1, got ${schema}`);
    return { text: encodeChecklist(state, schema).trimEnd() };
  }
  const known =
    wanted === undefined ? undefined : ChecklistStatusSchema.safeParse(wanted.toUpperCase()).data;
  if (wanted !== undefined && known === undefined)
    throw new ReviewLoopError('usage', `Invalid status: ${wanted}. Must be TODO, PASS or FAIL.`);
  return {
    text: state.items
      .filter((item) => known === undefined || item.status === known)
      .map(itemLine)
      .join('\n'),
  };
}

async function update(call: Call<'update'>): Promise<ChecklistAnswer> {
  const { status: given, finding, severity, fix: repair, evidence, location } = call.settings;
  if (given === undefined) throw new ReviewLoopError('usage', '--status required (PASS or FAIL)');
  const gate = gateOf(call);
  const { inputs } = await gate.state();
  const work = inputs === undefined ? undefined : await workOf(call, gate, []);
  return {
    text: entityResult(
      await gate.update(
        call.settings.id,
        {
          status: given,
          finding,
          severity,
          fix: repair,
          evidence,
          location: location === undefined ? undefined : placeIn(location),
        },
        work,
      ),
      'updated',
    ),
  };
}

async function accept(call: Call<'accept'>): Promise<ChecklistAnswer> {
  const { id, audit, reason = '', by = userName() } = call.settings;
  if (reason.trim() === '') throw new ReviewLoopError('reason_required', '--reason required');
  return {
    text: entityResult(await gateOf(call, { audit }).accept(id, { by, reason }), 'accepted'),
  };
}

function phaseOf({ settings }: GateCall): ChecklistPhase {
  const given = settings.phase ?? settings.qrPhase;
  if (given === undefined) throw new ReviewLoopError('usage', '--qr-phase required');
  const { data } = ChecklistPhaseSchema.safeParse(given);
  if (data === undefined)
    throw new ReviewLoopError(
      'usage',
      `Invalid phase: ${given}. Must be one of ${ChecklistPhaseSchema.options.join(', ')}`,
    );
  return data;
}

function folderOf({ io, settings }: GateCall): string {
  if (settings.stateDir === undefined || settings.stateDir === '')
    throw new ReviewLoopError('usage', '--state-dir required');
  return resolve(io.cwd, settings.stateDir);
}

interface GateParts {
  readonly provider?: LLMProvider | undefined;
  readonly trustUnhashed?: boolean;
  readonly audit?: string | undefined;
}

function gateOf(
  call: GateCall,
  { provider, trustUnhashed = false, audit }: GateParts = {},
): ChecklistGate {
  const { io, settings } = call;
  const phase = phaseOf(call);
  const folder = folderOf(call);
  const warn = (_fields: object, message: string): void => io.err(`warning: ${message}\n`);
  const logger = { debug: () => {}, info: () => {}, warn, error: warn };
  return new ChecklistGate({
    phase,
    decompose: [
      ...checklistModules(phase, { applyCheck: gitApplyCheck() }),
      modelChecklist({ phase, onDropped: (items) => warn({}, droppedText(items)) }),
    ],
    store: fileChecklists(folder, { logger }),
    audit: fileAudit(audit === undefined ? folder : resolve(io.cwd, audit)),
    ...(provider !== undefined && { provider }),
    ...(settings.request !== undefined && { request: settings.request }),
    ...(trustUnhashed && { trustUnhashed }),
  });
}

async function providerOf({
  io,
  settings,
}: {
  readonly io: Io;
  readonly settings: ProviderSettings;
}): Promise<LLMProvider | undefined> {
  return chooseProvider(io, providerChoice(settings), true);
}

function droppedText(items: readonly DroppedItem[]): string {
  return `items of the model that were not taken: ${items.map(({ scope, reason }) => `${scope} (${reason})`).join(', ')}`;
}

/** Reads the work as it is now: the given paths, else those that were decomposed. */
async function workOf(
  call: GateCall,
  gate: ChecklistGate,
  paths: readonly string[],
): Promise<AgentOutput> {
  const { io } = call;
  if (paths.length > 0) return worked(call, paths);
  const { inputs } = await gate.state();
  if (inputs === undefined)
    throw new ReviewLoopError(
      'no_artifacts',
      'the state does not name what is reviewed: paths are required',
    );
  const folder = folderOf(call);
  return worked(
    call,
    inputs.map((path) => relative(io.cwd, resolve(folder, path)).split(sep).join('/') || '.'),
  );
}

async function worked(call: GateCall, paths: readonly string[]): Promise<AgentOutput> {
  const { output } = await readInputs(call.io, paths, {
    maxFileSize: 2_000_000,
    maxFiles: 1000,
    exclude: [],
    typeOf: artifactTypes([]),
    own: ownFiles(folderOf(call)),
  });
  return { artifacts: output.artifacts };
}

/** The files of the gate itself. Others may stand beside them: tools of seed 001 keep the plan in the state directory. */
function ownFiles(folder: string): string[] {
  const states = ChecklistPhaseSchema.options.flatMap((phase) => [
    `qr-${phase}.json`,
    `.qr-${phase}.lock`,
  ]);
  return [...states, 'audit.jsonl', 'audit.lock'].map((name) => resolve(folder, name));
}

/** `file`, `file:12` or `file:12-15`. */
function placeIn(text: string): Location {
  const [, file = text, from, to] = /^(.+?):(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? [];
  const { data } = LocationSchema.safeParse({
    file,
    ...(from !== undefined && { line: Number(from) }),
    ...(to !== undefined && { endLine: Number(to) }),
  });
  if (data === undefined)
    throw new ReviewLoopError('usage', `--location is a path, path:12 or path:12-15, got ${text}`);
  return data;
}
