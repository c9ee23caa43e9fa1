import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { isRecord } from '../../core/json.js';
import { checkKeys } from '../../core/options.js';
import {
  type ChecklistPhase,
  type ChecklistSeverity,
  type ChecklistState,
  ChecklistStateSchema,
  checklistSeverity,
} from './checklist-state.js';
import { storedChecklistErrors } from './errors.js';

export interface DecodeOptions {
  /** The phase that the file must contain. */
  readonly phase: ChecklistPhase;
  /** The name of the file, for messages. */
  readonly where: string;
  /** Receives a message for each deviation that is tolerated. @default none */
  readonly warn?: ((message: string) => void) | undefined;
}

/**
 * Reads the text of `qr-{phase}.json`: schema 1.1, or schema 1.0 with or without the members that
 * tools add. A missing or unknown severity becomes MUST, so the item still blocks.
 *
 * @throws ReviewLoopError `checklist_corrupt`, `checklist_newer`
 */
export function decodeChecklist(text: string, options: DecodeOptions): ChecklistState {
  checkKeys('decodeChecklist', options, ['phase', 'where', 'warn']);
  const { phase, where } = options;
  const raw = parsed(text, where);
  if (!isRecord(raw)) throw corruptChecklist(where, 'it is not a JSON object');
  const version = raw['schema_version'] ?? '1.0';
  if (version !== '1.0' && version !== '1.1') throw unknownSchema(where, version);
  const iteration = raw['iteration'] ?? 1;
  const items = Array.isArray(raw['items'])
    ? raw['items'].map((item) => (isRecord(item) ? completed(item, iteration, options) : item))
    : raw['items'];
  const { data, error } = ChecklistStateSchema.safeParse({
    ...raw,
    schema_version: '1.1',
    iteration,
    items,
  });
  if (data === undefined) throw corruptChecklist(where, z.prettifyError(error));
  if (data.phase !== phase)
    throw corruptChecklist(where, `its phase is ${data.phase}, not ${phase}`);
  if (version === '1.1' && !isEarned(data))
    throw corruptChecklist(
      where,
      `its iteration is ${data.iteration}, and no item was reset for it`,
    );
  return data;
}

/** Whether items were reset for the iteration of a state: each reset makes a new version. */
function isEarned({ iteration, items }: ChecklistState): boolean {
  const last = Math.max(1, ...items.map((item) => item.iteration));
  const changes = items.reduce((sum, item) => sum + item.version - 1, 0);
  return iteration === last && changes >= iteration - 1;
}

function completed(
  item: Readonly<Record<string, unknown>>,
  iteration: unknown,
  { where, warn }: DecodeOptions,
): Record<string, unknown> {
  const known = checklistSeverity(item['severity']);
  if (known === undefined)
    warn?.(
      `${where}: item ${String(item['id'])} has ` +
        `${item['severity'] === undefined ? 'no severity' : 'an unknown severity'}; it ` +
        'is read as MUST',
    );
  const severity: ChecklistSeverity = known ?? 'MUST';
  return {
    ...item,
    severity,
    status: item['status'] ?? 'TODO',
    finding: item['finding'] ?? null,
    iteration: item['iteration'] ?? iteration,
    version: item['version'] ?? 1,
  };
}

/**
 * Returns the text of a state file.
 *
 * @param schema - '1.1', or '1.0' for only the five members of the older schema.
 */
export function encodeChecklist(state: ChecklistState, schema: '1.0' | '1.1' = '1.1'): string {
  if (schema === '1.1') return `${JSON.stringify(state, null, 2)}\n`;
  const items = state.items.map(({ id, scope, check, status, finding }) => ({
    id,
    scope,
    check,
    status,
    finding,
  }));
  return `${JSON.stringify({ schema_version: '1.0', phase: state.phase, items }, null, 2)}\n`;
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw corruptChecklist(where, `it is not JSON: ${messageOf(error)}`, error);
  }
}

function unknownSchema(where: string, version: unknown): ReviewLoopError {
  const [, major, minor] = /^(\d{1,6})\.(\d{1,6})$/.exec(String(version)) ?? [];
  const isNewer =
    major !== undefined && (Number(major) > 1 || (Number(major) === 1 && Number(minor) > 1));
  if (!isNewer) return corruptChecklist(where, `its schema_version is ${JSON.stringify(version)}`);
  return new ReviewLoopError(
    storedChecklistErrors.checklist_newer,
    `${where} has schema ${String(version)}; this version reads 1.0 and 1.1`,
    { value: where },
  );
}

export function corruptChecklist(where: string, why: string, cause?: unknown): ReviewLoopError {
  return new ReviewLoopError(
    storedChecklistErrors.checklist_corrupt,
    `QR state file ${where} is corrupt: ${why}`,
    { cause, value: where },
  );
}
