import type { GateCall, GateCallSettings } from '@/faces/commands/quality-gate/gate-text.js';

/** A call of `reviewloop gate` for the step `draft`, with other settings. */
export function gateCall(more: Partial<GateCallSettings> = {}): GateCall {
  const settings = {
    job: 'job.yml',
    step: 'draft',
    mode: 'external',
    output: [],
    notes: undefined,
    root: '.',
    maxInlineFiles: undefined,
    reviewTimeout: undefined,
    cli: undefined,
    session: 'default',
    overrideReason: undefined,
    by: undefined,
    provider: undefined,
    model: undefined,
    baseUrl: undefined,
    contextTokens: undefined,
    structured: undefined,
    providerEnv: [],
    report: [],
    reporter: undefined,
    format: 'text',
    quiet: false,
    store: 'file:.reviewloop',
    ...more,
  } as const;
  return { settings, job: { steps: [] }, files: 1 };
}
