import { join, resolve } from 'node:path';
import { oneLine } from '../../node/terminal/sanitise.js';
import { GateStateSchema } from '../../products/quality-gate/gate-state.js';
import { gateStateFile, safeId } from '../../products/quality-gate/gate-state-store.js';
import { QualityGate } from '../../products/quality-gate/quality-gate.js';
import type { StoredCall } from '../cli-kit/flags/command.js';
import type { SettingsOf } from '../cli-kit/flags/flag.js';
import { tell } from '../cli-kit/io.js';
import { userName } from '../cli-kit/require-person.js';
import type { acceptFlags } from './accept-flags.js';
import { Workflows } from './workflows.js';

export async function acceptStep(
  { io, store }: StoredCall,
  settings: SettingsOf<typeof acceptFlags>,
): Promise<number> {
  const { session, step, reason, by = userName(), format } = settings;
  const folder = join(store.local(io.cwd), 'gates');
  const workflows = new Workflows({
    gate: new QualityGate({ root: resolve(io.cwd, settings.root) }),
    folder,
    verified: await isVerified(folder, session),
    audit: store.audit,
  });
  const { status, begin_step: next } = await workflows.accept(session, { step, reason, by });
  const begin_step = next?.step_id ?? null;
  return tell(io, format, {
    data: { session_id: session, step_id: step, status, outcome: 'accepted', by, begin_step },
    lines: [
      `accepted by ${oneLine(by)}: step ${oneLine(step)}`,
      begin_step === null ? 'the workflow is complete' : `next step: ${begin_step}`,
    ],
  });
}

/** Whether only verdicts open the gate of a workflow. It stays so after a person's decision. */
async function isVerified(folder: string, session: string): Promise<boolean> {
  const saved = await gateStateFile(join(folder, safeId(session), 'state.json')).load();
  const state = GateStateSchema.safeParse(saved);
  return state.success && state.data.verified;
}
