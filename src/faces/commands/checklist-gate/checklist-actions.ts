import { relative, resolve, sep } from 'node:path';
import { fileAudit, fileChecklists, verifyAudit } from '../../../adapters/stores/file/index.js';
import { auditRecords } from '../../../adapters/stores/file/verify-audit.js';
import { ReviewLoopError } from '../../../core/errors.js';
import type { LLMProvider } from '../../../core/llm-provider.js';
import { engineErrors } from '../../../engine/errors.js';
import { nodeErrors } from '../../../node/errors.js';
import { gitApplyCheck } from '../../../node/git/apply-check.js';
import {
  type ChecklistPhase,
  ChecklistPhaseSchema,
  ChecklistStatusSchema,
} from '../../../ports/checklist/checklist-state.js';
import { encodeChecklist } from '../../../ports/checklist/state-format.js';
import { systemClock } from '../../../ports/clock.js';
import { ChecklistGate } from '../../../products/checklist-gate/checklist-gate.js';
import { itemLine, summaryText } from '../../../products/checklist-gate/checklist-text.js';
import { checklistModules } from '../../../products/checklist-gate/modules/checklist-modules.js';
import {
  type DroppedItem,
  modelChecklist,
} from '../../../products/checklist-gate/modules/model-checklist.js';
import { recordedChecklists } from '../../../products/checklist-gate/stored-checklist.js';
import type { AgentOutput } from '../../../products/self-review/agent.js';
import { usageError } from '../../cli-kit/errors.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { artifactTypes, readInputs } from '../../cli-kit/inputs/read-inputs.js';
import type { Io } from '../../cli-kit/io.js';
import { folderStore } from '../../cli-kit/open-store.js';
import { chooseProvider } from '../../cli-kit/provider/choose-provider.js';
import { providerChoice } from '../../cli-kit/provider/provider-choice.js';
import { saveJudged } from '../../cli-kit/reports/judged-report.js';
import { checkReports, reportRuns } from '../../cli-kit/reports/report-flag.js';
import { userName } from '../../cli-kit/require-person.js';
import { quoted } from '../../cli-kit/show/listing.js';
import { way } from '../../cli-kit/show/next-command.js';
import type { RunReport, WayOn } from '../../reports/run-report.js';
import type { ChecklistFlags } from './checklist-flags.js';
import { followDecomposition, followVerification, withinSeconds } from './checklist-progress.js';
import {
  checklistReport,
  entityResult,
  placeIn,
  type VerifiedChecklist,
} from './checklist-report.js';

export interface ChecklistAnswer {
  readonly text: string;
  readonly code?: number;
  readonly after?: () => Promise<void>;
}

/** One call of a command of `reviewloop checklist`. */
interface Call<Name extends keyof ChecklistFlags> {
  readonly io: Io;
  readonly settings: SettingsOf<ChecklistFlags[Name]>;
}

type Actions = {
  readonly [Name in keyof ChecklistFlags]: (call: Call<Name>) => Promise<ChecklistAnswer>;
};

export const checklistActions: Actions = {
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
    throw new ReviewLoopError(nodeErrors.no_artifacts, 'the paths to review are required');
  const folder = folderOf(call);
  const inputs = paths.map(
    (path) => relative(folder, resolve(io.cwd, path)).split(sep).join('/') || '.',
  );
  const provider = await chooseProvider(io, providerChoice(call.settings), true);
  const { quiet, reviewTimeout } = settings;
  return followDecomposition(io, { provider, folder, quiet }, async (counted) => {
    const work = await worked(call, paths);
    const gate = gateOf(call, { provider: counted });
    return withinSeconds(reviewTimeout, io.signal, (signal) =>
      gate.decompose(work, { inputs, signal }),
    );
  });
}

async function verify(call: Call<'verify'>): Promise<ChecklistAnswer> {
  const { io } = call;
  const { paths, bit: onlyBit, trustUnhashed, report, quiet } = call.settings;
  await checkReports(report, io.cwd);
  const began = systemClock.now();
  const gate = gateOf(call, {
    provider: await chooseProvider(io, providerChoice(call.settings), true),
    trustUnhashed,
  });
  const followed = { gate, folder: folderOf(call), phase: phaseOf(call), quiet };
  const { work, verification } = await followVerification(io, followed, async () => {
    const current = await workOf(call, gate, paths);
    return { work: current, verification: await gate.verify(current, { signal: io.signal }) };
  });
  const { text, status: bit } = verification;
  const exitCode = bit === 'PASS' ? 0 : 50;
  return {
    text: onlyBit ? bit : text,
    code: exitCode,
    after: () => {
      const files = work.artifacts.map(({ path }) => path);
      return reportChecklist(call, report, { gate, verification, files, exitCode, began });
    },
  };
}

async function fix(call: Call<'fix'>): Promise<ChecklistAnswer> {
  const gate = gateOf(call);
  if (call.settings.applied) {
    return { text: await gate.fixesApplied(await decomposedWork(call, gate)) };
  }
  const { text, prompt } = await gate.fixGuidance();
  return { text: call.settings.qrFail ? prompt : text };
}

async function status(call: Call<'status'>): Promise<ChecklistAnswer> {
  const gate = gateOf(call);
  const { paths } = call.settings;
  const work = paths.length > 0 ? await worked(call, paths) : undefined;
  return { text: summaryText(phaseOf(call), await gate.status(work)) };
}

async function list(call: Call<'list'>): Promise<ChecklistAnswer> {
  const { status: wanted, schema } = call.settings;
  const state = await gateOf(call).state();
  if (schema !== undefined) {
    if (schema !== '1.0' && schema !== '1.1')
      throw usageError(`--schema is 1.0 or 1.1, got ${schema}`);
    return { text: encodeChecklist(state, schema).trimEnd() };
  }
  const known =
    wanted === undefined ? undefined : ChecklistStatusSchema.safeParse(wanted.toUpperCase()).data;
  if (wanted !== undefined && known === undefined)
    throw usageError(`Invalid status: ${wanted}. Must be TODO, PASS or FAIL.`);
  const items = state.items.filter(({ status: now }) => known === undefined || now === known);
  return { text: items.map(itemLine).join('\n') };
}

async function update(call: Call<'update'>): Promise<ChecklistAnswer> {
  const { status: given, finding, severity, fix: repair, evidence, location } = call.settings;
  if (given === undefined) throw usageError('--status required (PASS or FAIL)');
  const gate = gateOf(call);
  const place = location === undefined ? undefined : placeIn(location);
  if (location !== undefined && place === undefined)
    throw usageError(`--location is a path, path:12 or path:12-15, got ${location}`);
  const result = { status: given, finding, severity, fix: repair, evidence, location: place };
  const work = await decomposedWork(call, gate);
  return { text: entityResult(await gate.update(call.settings.id, result, work), 'updated') };
}

async function accept(call: Call<'accept'>): Promise<ChecklistAnswer> {
  const { id, reason = '', by = userName() } = call.settings;
  if (reason.trim() === '')
    throw new ReviewLoopError(engineErrors.reason_required, '--reason required');
  return { text: entityResult(await gateOf(call).accept(id, { by, reason }), 'accepted') };
}

async function reportChecklist(
  call: GateCall,
  given: readonly string[],
  { gate, ...ended }: Omit<VerifiedChecklist, 'state' | 'now'> & { readonly gate: ChecklistGate },
): Promise<void> {
  const { io } = call;
  const store = folderStore(folderOf(call));
  const made = checklistReport({ ...ended, state: await gate.state(), now: systemClock.now() });
  await reportRuns(io, given, {
    reports: [await saveJudged(store, { ...made, next: waysOf(call, made) })],
    store,
    cwd: io.cwd,
  });
}

function waysOf(call: GateCall, { approved, gaps }: RunReport): WayOn[] {
  const { stateDir = '' } = call.settings;
  const gate = `--phase ${quoted(phaseOf(call))} --state-dir ${quoted(stateDir)}`;
  const again = way(`reviewloop checklist verify ${gate}`, 'after you fixed the items');
  if (approved) return [];
  return gaps.length === 0
    ? [way(again.command, 'asks again')]
    : [way(`reviewloop checklist fix ${gate}`, 'tells what to fix'), again];
}

interface GateCall {
  readonly io: Io;
  readonly settings: Omit<SettingsOf<ChecklistFlags['status']>, 'paths'>;
}

function phaseOf({ settings }: GateCall): ChecklistPhase {
  const given = settings.phase ?? settings.qrPhase;
  if (given === undefined) throw usageError('--qr-phase required');
  const { data } = ChecklistPhaseSchema.safeParse(given);
  if (data === undefined)
    throw usageError(
      `Invalid phase: ${given}. Must be one of ${ChecklistPhaseSchema.options.join(', ')}`,
    );
  return data;
}

/** Returns the state directory. @throws ReviewLoopError `usage` if it is missing */
function folderOf({ io, settings }: GateCall): string {
  if (settings.stateDir === undefined || settings.stateDir === '')
    throw usageError('--state-dir required');
  return resolve(io.cwd, settings.stateDir);
}

interface GateParts {
  readonly provider?: LLMProvider | undefined;
  readonly trustUnhashed?: boolean;
}

function gateOf(
  call: GateCall,
  { provider, trustUnhashed = false }: GateParts = {},
): ChecklistGate {
  const { io, settings } = call;
  const phase = phaseOf(call);
  const folder = folderOf(call);
  const audit = settings.audit === undefined ? folder : resolve(io.cwd, settings.audit);
  const warn = (_fields: object, message: string): void => io.err(`warning: ${message}\n`);
  const logger = { debug: () => {}, info: () => {}, warn, error: warn };
  return new ChecklistGate({
    phase,
    decompose: [
      ...checklistModules(phase, { applyCheck: gitApplyCheck() }),
      modelChecklist({ phase, onDropped: (items) => warn({}, droppedText(items)) }),
    ],
    store: recordedChecklists(fileChecklists(folder, { logger }), () =>
      auditRecords((options) => verifyAudit(audit, options)),
    ),
    audit: fileAudit(audit),
    ...(provider !== undefined && { provider }),
    ...(settings.request !== undefined && { request: settings.request }),
    ...(trustUnhashed && { trustUnhashed }),
  });
}

function droppedText(items: readonly DroppedItem[]): string {
  return `refused items of the model: ${items.map(({ scope, reason }) => `${scope} (${reason})`).join(', ')}`;
}

/** Reads the current work: the given paths, or else those of the decomposition. */
async function workOf(
  call: GateCall,
  gate: ChecklistGate,
  paths: readonly string[],
): Promise<AgentOutput> {
  const work = paths.length > 0 ? await worked(call, paths) : await decomposedWork(call, gate);
  if (work !== undefined) return work;
  throw new ReviewLoopError(
    nodeErrors.no_artifacts,
    'the state contains no paths to review: name them, or run `checklist decompose` with them',
  );
}

/** Reads the work at the paths of the decomposition, if the state contains them. */
async function decomposedWork(
  call: GateCall,
  gate: ChecklistGate,
): Promise<AgentOutput | undefined> {
  const { inputs } = await gate.state();
  const pathOf = (input: string): string =>
    relative(call.io.cwd, resolve(folderOf(call), input))
      .split(sep)
      .join('/') || '.';
  return inputs && worked(call, inputs.map(pathOf));
}

/** Reads the work at paths, without the gate's own files. */
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

/** Returns the gate's own files. Tools of the QR format store the plan in the same folder. */
function ownFiles(folder: string): string[] {
  const states = ChecklistPhaseSchema.options.flatMap((phase) => [
    `qr-${phase}.json`,
    `.qr-${phase}.lock`,
  ]);
  return [...states, 'audit.jsonl', 'audit.lock', 'times.json'].map((name) =>
    resolve(folder, name),
  );
}
