import type { LLMProvider } from '../core/llm-provider.js';
import { checkKeys, checkPositive, checkWhole, invalid } from '../core/options.js';
import { checkProvider } from '../model/answer/ask-options.js';
import type { PipelineOptions } from '../pipeline/pipeline-options.js';
import type { TokenCounter } from '../ports/token-counter.js';
import type { PayloadInput } from './payload/build-payload.js';
import { defaultInstructionsFolder, gateRoot } from './payload/gate-files.js';

/** A command line that reviews; it gets the time that a review may take. */
export type GateCli = (timeoutMs: number) => LLMProvider;

/** With how many files their contents are no longer inlined. */
export const defaultMaxInlineFiles = 5;

type Ports = Pick<
  PipelineOptions<never, never>,
  'limiter' | 'retries' | 'verdicts' | 'logger' | 'clock' | 'random'
>;

/** How a {@link QualityGate} reviews. */
export interface QualityGateOptions extends Ports {
  /** The external reviewer: `deepworkCli()` of `reviewloop/providers/cli`, or any of your own. @default none */
  readonly cli?: GateCli | undefined;
  /** Any model as the reviewer; either this or `cli`. @default none: only self-review */
  readonly provider?: LLMProvider | undefined;
  /** With more files than this, only their paths are given. @default 5 */
  readonly maxInlineFiles?: number | undefined;
  /** How many bytes of files are inlined at most; other files are named. @default all */
  readonly maxInlineBytes?: number | undefined;
  /** How many tokens of files are inlined at most. @default all */
  readonly maxInlineTokens?: number | undefined;
  /** @default an estimate */
  readonly tokens?: TokenCounter | undefined;
  /** The folder that paths are relative to. @default the working directory */
  readonly root?: string | undefined;
  /** Whether outputs may lie outside of the root. @default false */
  readonly allowOutside?: boolean | undefined;
  /** Whether the reviewer can read files that are only listed; one that cannot gives no verdict on them. @default true with `cli`, else false */
  readonly readsFiles?: boolean | undefined;
  /** Whether large payloads get more time. @default false: only the number of files counts */
  readonly sizeTimeout?: boolean | undefined;
  /** No review may take longer. @default no ceiling */
  readonly maxTimeoutSeconds?: number | undefined;
  /** Whether an answer must name every criterion. @default false: what it left out is reported */
  readonly everyCriterion?: boolean | undefined;
  /** Where instructions for self-review are written, below the root. @default '.deepwork/tmp' */
  readonly instructionsFolder?: string | undefined;
}

/** Checked options with every default filled in. */
export interface GateSettings
  extends Pick<QualityGateOptions, 'cli' | 'provider' | 'maxTimeoutSeconds'> {
  readonly inline: Pick<
    PayloadInput,
    'root' | 'maxInlineFiles' | 'maxInlineBytes' | 'maxInlineTokens' | 'tokens'
  >;
  readonly readsFiles: boolean;
  readonly sizeTimeout: boolean;
  readonly everyCriterion: boolean;
  readonly instructionsFolder: string;
  readonly ports: Ports;
}

const names = [
  ...[
    'cli',
    'provider',
    'maxInlineFiles',
    'maxInlineBytes',
    'maxInlineTokens',
    'tokens',
    'root',
    'allowOutside',
    'readsFiles',
    'sizeTimeout',
    'maxTimeoutSeconds',
  ],
  ...[
    'everyCriterion',
    'instructionsFolder',
    'limiter',
    'retries',
    'verdicts',
    'logger',
    'clock',
    'random',
  ],
];

/** @throws ReviewLoopError `invalid_options`, `file_unreadable` */
export function checkedGate(options: QualityGateOptions): GateSettings {
  if (typeof options !== 'object' || options === null)
    throw invalid('options', 'an object', options);
  checkKeys('QualityGate', options, names);
  const {
    cli,
    maxInlineFiles = defaultMaxInlineFiles,
    maxInlineBytes,
    maxInlineTokens,
    tokens,
    root,
    allowOutside = false,
    maxTimeoutSeconds,
  } = options;
  const {
    readsFiles = cli !== undefined,
    sizeTimeout = false,
    everyCriterion = false,
    instructionsFolder = defaultInstructionsFolder,
  } = options;
  checkRunner(options);
  checkWhole('maxInlineFiles', maxInlineFiles, 0);
  for (const [name, value] of Object.entries({
    maxInlineBytes,
    maxInlineTokens,
    maxTimeoutSeconds,
  }))
    checkPositive(name, value);
  for (const [name, value] of Object.entries({ root, instructionsFolder }))
    if (value !== undefined && (typeof value !== 'string' || value === ''))
      throw invalid(name, 'a path', value);
  for (const [name, value] of Object.entries({
    allowOutside,
    readsFiles,
    sizeTimeout,
    everyCriterion,
  }))
    if (typeof value !== 'boolean') throw invalid(name, 'true or false', value);
  return {
    ...{
      cli,
      provider: options.provider,
      maxTimeoutSeconds,
      readsFiles,
      sizeTimeout,
      everyCriterion,
      instructionsFolder,
    },
    inline: {
      root: gateRoot(root, allowOutside),
      maxInlineFiles,
      maxInlineBytes,
      maxInlineTokens,
      tokens,
    },
    ports: portsOf(options),
  };
}

function checkRunner({ cli, provider }: QualityGateOptions): void {
  if (cli !== undefined && typeof cli !== 'function')
    throw invalid(
      'cli',
      'a function from milliseconds to an LLMProvider, such as deepworkCli()',
      cli,
    );
  if (cli !== undefined && provider !== undefined)
    throw invalid('provider', 'left out where `cli` is given', provider);
  if (provider !== undefined) checkProvider(provider);
}

function portsOf({ limiter, retries, verdicts, logger, clock, random }: QualityGateOptions): Ports {
  return {
    ...(limiter && { limiter }),
    ...(retries !== undefined && { retries }),
    ...(verdicts && { verdicts }),
    ...(logger && { logger }),
    ...(clock && { clock }),
    ...(random && { random }),
  };
}
