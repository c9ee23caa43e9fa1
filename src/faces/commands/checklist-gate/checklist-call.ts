import { relative, resolve, sep } from 'node:path';
import { fileAudit, fileChecklists, verifyAudit } from '../../../adapters/stores/file/index.js';
import { auditRecords } from '../../../adapters/stores/file/verify-audit.js';
import { ReviewLoopError } from '../../../core/errors.js';
import type { LLMProvider } from '../../../core/llm-provider.js';
import { nodeErrors } from '../../../node/errors.js';
import { gitApplyCheck } from '../../../node/git/apply-check.js';
import {
  type ChecklistPhase,
  ChecklistPhaseSchema,
} from '../../../ports/checklist/checklist-state.js';
import { ChecklistGate } from '../../../products/checklist-gate/checklist-gate.js';
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
import type { ChecklistFlags } from './checklist-flags.js';

export interface GateCall {
  readonly io: Io;
  readonly settings: Omit<SettingsOf<ChecklistFlags['status']>, 'paths'>;
}

export function phaseOf({ settings }: GateCall): ChecklistPhase {
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
export function folderOf({ io, settings }: GateCall): string {
  if (settings.stateDir === undefined || settings.stateDir === '')
    throw usageError('--state-dir required');
  return resolve(io.cwd, settings.stateDir);
}

interface GateParts {
  readonly provider?: LLMProvider | undefined;
  readonly trustUnhashed?: boolean;
}

export function gateOf(
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
export async function workOf(
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
export async function decomposedWork(
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
export async function worked(call: GateCall, paths: readonly string[]): Promise<AgentOutput> {
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
