import { resolve } from 'node:path';
import { deepworkCli } from '../../../adapters/providers/cli/deepwork-cli.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { QualityGate } from '../../../products/quality-gate/quality-gate.js';
import { usageError } from '../../cli-kit/errors.js';
import type { Io } from '../../cli-kit/io.js';
import { chooseProvider } from '../../cli-kit/provider/choose-provider.js';
import { type ProviderSettings, providerChoice } from '../../cli-kit/provider/provider-choice.js';

export interface GateSettings extends ProviderSettings {
  readonly root: string;
  readonly maxInlineFiles: number | undefined;
  /** The time limit of a review, in seconds. */
  readonly reviewTimeout?: number | undefined;
  readonly cli: string | undefined;
}

/**
 * A model, a command line tool, or none.
 *
 * @param fallback - The command line tool without any choice. @default none
 */
export async function gateOf(
  io: Pick<Io, 'cwd' | 'err'>,
  settings: GateSettings,
  fallback?: string,
): Promise<QualityGate> {
  const choice = providerChoice(settings);
  if (choice !== undefined && settings.cli !== undefined)
    throw usageError('pass --cli or --provider, not both');
  const root = resolve(io.cwd, settings.root);
  const { maxInlineFiles, reviewTimeout: timeoutSeconds } = settings;
  const shared = { root, maxInlineFiles, timeoutSeconds };
  const provider = await chooseProvider(io, choice, true);
  // the provider retries by itself
  if (provider !== undefined) return new QualityGate({ ...shared, provider, retries: 0 });
  const executable = settings.cli ?? fallback;
  if (executable === undefined) return new QualityGate(shared);
  return new QualityGate({ ...shared, cli: deepworkCli({ executable }) });
}

const fixes: Readonly<Record<string, string>> = {
  path_outside: 'Move the files into the folder of --root, or name another --root.',
  gate_attempts_used:
    'A person decides: begin another session, or run `reviewloop mcp` with more --max-attempts.',
};

export function commandLineHint(error: unknown): unknown {
  if (!(error instanceof ReviewLoopError)) return error;
  // a fix that names the step was put in before
  if (error.cause instanceof ReviewLoopError && error.cause.code === error.code) return error;
  const fix = fixes[error.code];
  if (fix === undefined) return error;
  const { code, kind, value } = error;
  return new ReviewLoopError({ code, kind, fix }, error.what, { cause: error, value });
}
