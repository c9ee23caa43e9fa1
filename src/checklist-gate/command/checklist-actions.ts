import { relative, resolve, sep } from 'node:path';
import { artifactTypes } from '../../cli-kit/inputs/artifact-type.js';
import { readInputs } from '../../cli-kit/inputs/read-inputs.js';
import type { Io } from '../../cli-kit/io.js';
import { chooseProvider } from '../../cli-kit/provider/choose-provider.js';
import { type ProviderFlags, providerOption } from '../../cli-kit/provider/provider-options.js';
import { ReviewLoopError } from '../../core/errors.js';
import { type Location, LocationSchema } from '../../core/gap.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { gitApplyCheck } from '../../git/apply-check.js';
import { nodeErrors } from '../../node/errors.js';
import type { AgentOutput } from '../../self-review/agent.js';
import { fileAudit, fileChecklists } from '../../stores/file/index.js';
import { type ChecklistPhase, ChecklistPhaseSchema, ChecklistStatusSchema } from '../checklist.js';
import { ChecklistGate } from '../checklist-gate.js';
import { itemLine, summaryText } from '../checklist-text.js';
import { checklistModules } from '../modules/checklist-modules.js';
import { type DroppedItem, modelChecklist } from '../modules/model-checklist.js';
import { encodeChecklist } from '../state-format.js';
import { entityResult } from './checklist-xml.js';

/** What commander makes of the options. */
export interface ChecklistOptions extends ProviderFlags {
  readonly phase?: string;
  readonly qrPhase?: string;
  readonly stateDir?: string;
  readonly request?: string;
  readonly bit?: boolean;
  readonly trustUnhashed?: boolean;
  readonly qrFail?: boolean;
  readonly applied?: boolean;
  readonly status?: string;
  readonly schema?: string;
  readonly finding?: string;
  readonly fix?: string;
  readonly evidence?: string;
  readonly location?: string;
  readonly severity?: string;
  readonly reason?: string;
  readonly by?: string;
  readonly audit?: string;
}

/** One call of `reviewloop checklist`. */
export interface ChecklistCall {
  readonly io: Io;
  readonly options: ChecklistOptions;
  readonly paths: readonly string[];
  readonly id: string;
}

/** What a command prints, and its exit code. */
export interface ChecklistAnswer {
  readonly text: string;
  readonly code?: number;
}

type Action = (call: ChecklistCall) => Promise<ChecklistAnswer>;

/** The commands of `reviewloop checklist`. */
export const checklistActions = {
  decompose,
  verify,
  fix,
  status,
  list,
  update,
  accept,
} satisfies Record<string, Action>;

async function decompose(call: ChecklistCall): Promise<ChecklistAnswer> {
  const { io, paths } = call;
  if (paths.length === 0)
    throw new ReviewLoopError(nodeErrors.no_artifacts, 'paths of what is reviewed are required');
  const folder = folderOf(call);
  const inputs = paths.map(
    (path) => relative(folder, resolve(io.cwd, path)).split(sep).join('/') || '.',
  );
  const gate = gateOf(call, await providerOf(call));
  return gate.decompose(await worked(call, paths), { inputs, signal: io.signal });
}

async function verify(call: ChecklistCall): Promise<ChecklistAnswer> {
  const gate = gateOf(call, await providerOf(call));
  const { text, status: bit } = await gate.verify(await workOf(call, gate), {
    signal: call.io.signal,
  });
  return { text: call.options.bit ? bit : text, code: bit === 'PASS' ? 0 : 50 };
}

async function fix(call: ChecklistCall): Promise<ChecklistAnswer> {
  const gate = gateOf(call);
  if (call.options.applied) return { text: await gate.fixesApplied() };
  const { text, prompt } = await gate.fixGuidance();
  return { text: call.options.qrFail ? prompt : text };
}

async function status(call: ChecklistCall): Promise<ChecklistAnswer> {
  const gate = gateOf(call);
  const found = await gate.status(
    call.paths.length > 0 ? await worked(call, call.paths) : undefined,
  );
  return { text: summaryText(phaseOf(call), found) };
}

async function list(call: ChecklistCall): Promise<ChecklistAnswer> {
  const { status: wanted, schema } = call.options;
  const state = await gateOf(call).state();
  if (schema !== undefined) {
    if (schema !== '1.0' && schema !== '1.1')
      throw new ReviewLoopError(nodeErrors.usage, `--schema is 1.0 or 1.1, got ${schema}`);
    return { text: encodeChecklist(state, schema).trimEnd() };
  }
  const known =
    wanted === undefined ? undefined : ChecklistStatusSchema.safeParse(wanted.toUpperCase()).data;
  if (wanted !== undefined && known === undefined)
    throw new ReviewLoopError(
      nodeErrors.usage,
      `Invalid status: ${wanted}. Must be TODO, PASS or FAIL.`,
    );
  return {
    text: state.items
      .filter((item) => known === undefined || item.status === known)
      .map(itemLine)
      .join('\n'),
  };
}

async function update(call: ChecklistCall): Promise<ChecklistAnswer> {
  const { status: given, finding, severity, fix: repair, evidence, location } = call.options;
  if (given === undefined)
    throw new ReviewLoopError(nodeErrors.usage, '--status required (PASS or FAIL)');
  const gate = gateOf(call);
  const { inputs } = await gate.state();
  const work = inputs === undefined ? undefined : await workOf(call, gate);
  return {
    text: entityResult(
      await gate.update(
        call.id,
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

async function accept(call: ChecklistCall): Promise<ChecklistAnswer> {
  const { reason = '', by = '' } = call.options;
  if (reason.trim() === '') throw new ReviewLoopError('reason_required', '--reason required');
  return { text: entityResult(await gateOf(call).accept(call.id, { by, reason }), 'accepted') };
}

function phaseOf({ options }: ChecklistCall): ChecklistPhase {
  const given = options.phase ?? options.qrPhase;
  if (given === undefined) throw new ReviewLoopError(nodeErrors.usage, '--qr-phase required');
  const { data } = ChecklistPhaseSchema.safeParse(given);
  if (data === undefined)
    throw new ReviewLoopError(
      nodeErrors.usage,
      `Invalid phase: ${given}. Must be one of ${ChecklistPhaseSchema.options.join(', ')}`,
    );
  return data;
}

function folderOf({ io, options }: ChecklistCall): string {
  if (options.stateDir === undefined || options.stateDir === '')
    throw new ReviewLoopError(nodeErrors.usage, '--state-dir required');
  return resolve(io.cwd, options.stateDir);
}

function gateOf(call: ChecklistCall, provider?: LLMProvider): ChecklistGate {
  const { io, options } = call;
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
    audit: fileAudit(options.audit === undefined ? folder : resolve(io.cwd, options.audit)),
    ...(provider !== undefined && { provider }),
    ...(options.request !== undefined && { request: options.request }),
    ...(options.trustUnhashed === true && { trustUnhashed: true }),
  });
}

async function providerOf({ io, options }: ChecklistCall): Promise<LLMProvider | undefined> {
  return chooseProvider(io, providerOption(options), true);
}

function droppedText(items: readonly DroppedItem[]): string {
  return `items of the model that were not taken: ${items.map(({ scope, reason }) => `${scope} (${reason})`).join(', ')}`;
}

/** The work as it is now: what is named, else what was decomposed. */
async function workOf(call: ChecklistCall, gate: ChecklistGate): Promise<AgentOutput> {
  const { io, paths } = call;
  if (paths.length > 0) return worked(call, paths);
  const { inputs } = await gate.state();
  if (inputs === undefined)
    throw new ReviewLoopError(
      nodeErrors.no_artifacts,
      'the state does not name what is reviewed: paths are required',
    );
  const folder = folderOf(call);
  return worked(
    call,
    inputs.map((path) => relative(io.cwd, resolve(folder, path)).split(sep).join('/') || '.'),
  );
}

async function worked(call: ChecklistCall, paths: readonly string[]): Promise<AgentOutput> {
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
    throw new ReviewLoopError(
      nodeErrors.usage,
      `--location is a path, path:12 or path:12-15, got ${text}`,
    );
  return data;
}
