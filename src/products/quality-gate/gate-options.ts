import { runTable } from '../../blocks/pipeline/check-options.js';
import type { Pipeline, PipelineOptions } from '../../blocks/pipeline/pipeline-options.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import {
  checkPositive,
  checkTable,
  elsewhere,
  type Filled,
  fits,
  flag,
  givenOf,
  invalid,
  type OptionTable,
  shaped,
  whole,
} from '../../core/options.js';
import { rootOf } from '../../node/inside-root.js';
import { portTable } from '../../ports/port-table.js';
import type { TokenCounter } from '../../ports/token-counter.js';
import { defaultInstructionsFolder } from './gate-instructions.js';
import type { PayloadInput } from './payload/build-payload.js';

/**
 * A command line tool as a reviewer. It receives the time limit of a review in milliseconds, and the
 * folder to work in: it contains copies of the files under review.
 */
export type GateCli = (timeoutMs: number, folder: string) => LLMProvider;

const defaultMaxInlineFiles = 5;

type Ports = Pick<
  PipelineOptions<never, never>,
  'limiter' | 'retries' | 'verdicts' | 'logger' | 'clock' | 'random'
>;

/** Options of a {@link QualityGate}: the reviewer, its input and its time limits. */
export interface QualityGateOptions extends Ports {
  /**
   * A command line tool as the reviewer: `deepworkCli()` of `reviewloop/providers`, or your
   * own. @default none
   */
  readonly cli?: GateCli | undefined;
  /** A model as the reviewer, instead of `cli`. @default none: only self-review is possible */
  readonly provider?: LLMProvider | undefined;
  /**
   * The maximum number of inlined files; from 0. With more files, the reviewer receives only paths.
   *
   * @default 5
   */
  readonly maxInlineFiles?: number | undefined;
  /** The maximum number of inlined bytes. Further files are only named. @default no limit */
  readonly maxInlineBytes?: number | undefined;
  /** The maximum number of inlined tokens. Further files are only named. @default no limit */
  readonly maxInlineTokens?: number | undefined;
  /** Counts tokens for `maxInlineTokens`. @default an estimate */
  readonly tokens?: TokenCounter | undefined;
  /** The folder that paths are relative to. @default the working directory */
  readonly root?: string | undefined;
  /** Whether outputs may lie outside of the root. @default false */
  readonly allowOutside?: boolean | undefined;
  /**
   * Whether the reviewer can read files that are only named. If not, a review with such files has
   * no verdict.
   *
   * @default true with `cli`, else false
   */
  readonly readsFiles?: boolean | undefined;
  /** Whether a large payload gets more time. @default false: only the number of files counts */
  readonly sizeTimeout?: boolean | undefined;
  /**
   * The time limit of every review, in seconds, whatever its size; above 0.
   *
   * @default 240, plus 30 for each file beyond the fifth
   */
  readonly timeoutSeconds?: number | undefined;
  /** The maximum time of a review, in seconds; above 0. @default no limit */
  readonly maxTimeoutSeconds?: number | undefined;
  /**
   * Whether an answer that passes must name every criterion. If so, the gate asks again after an incomplete
   * answer, and then has no verdict. With `false`, as in DeepWork, results list the rest as
   * `unanswered`.
   *
   * @default true
   */
  readonly everyCriterion?: boolean | undefined;
  /** The folder for instructions of self-review, below the root. @default '.deepwork/tmp' */
  readonly instructionsFolder?: string | undefined;
}

/** Checked options with every default filled in. */
export interface GateSettings
  extends Filled<Pick<QualityGateOptions, 'readsFiles' | OwnName>, 'readsFiles' | DefaultName> {
  readonly inline: Pick<
    PayloadInput,
    'root' | 'maxInlineFiles' | 'maxInlineBytes' | 'maxInlineTokens' | 'tokens'
  >;
  readonly ports: Ports;
  /** Add the listeners of the gate to a pipeline. */
  readonly listeners: ((pipeline: Pick<Pipeline<never, never>, 'on'>) => void)[];
}

const defaults = {
  ...{ sizeTimeout: false, everyCriterion: true, instructionsFolder: defaultInstructionsFolder },
};

type DefaultName = keyof typeof defaults;

const ownNames = [
  ...(['cli', 'provider', 'timeoutSeconds', 'maxTimeoutSeconds'] as const),
  ...(['sizeTimeout', 'everyCriterion', 'instructionsFolder'] as const),
];

type OwnName = (typeof ownNames)[number];

const path = shaped('a path', /./s);

const { limiter, verdicts, logger, clock, random } = portTable;
const ports = { limiter, retries: runTable.retries, verdicts, logger, clock, random };
const portNames = Object.keys(ports) as (keyof typeof ports)[];

const table: OptionTable<QualityGateOptions> = {
  cli: fits(
    'a function from milliseconds to an LLMProvider, such as deepworkCli()',
    (value) => typeof value === 'function',
  ),
  provider: portTable.provider,
  maxInlineFiles: whole(0),
  ...{ maxInlineBytes: checkPositive, maxInlineTokens: checkPositive, tokens: elsewhere() },
  ...{ timeoutSeconds: checkPositive, maxTimeoutSeconds: checkPositive },
  ...{ root: path, instructionsFolder: path },
  ...{ allowOutside: flag, readsFiles: flag, sizeTimeout: flag, everyCriterion: flag },
  ...ports,
};

export function gateSettings(options: QualityGateOptions): GateSettings {
  checkTable('QualityGate', table, options);
  const { cli, provider, maxInlineBytes, maxInlineTokens, tokens } = options;
  const { maxInlineFiles = defaultMaxInlineFiles, root = '.', allowOutside = false } = options;
  if (cli !== undefined && provider !== undefined)
    throw invalid('provider', 'undefined if `cli` is set', provider);
  return {
    ...defaults,
    ...givenOf(options, ownNames),
    readsFiles: options.readsFiles ?? cli !== undefined,
    inline: {
      root: rootOf(root, allowOutside),
      maxInlineFiles,
      maxInlineBytes,
      maxInlineTokens,
      tokens,
    },
    ports: givenOf(options, portNames),
    listeners: [],
  };
}

export function hasReviewer({ cli, provider }: GateSettings): boolean {
  return cli !== undefined || provider !== undefined;
}
