import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { storeFolder } from '../../cli-kit/common-options.js';
import type { ProviderChoice } from '../../cli-kit/inputs/review-settings.js';
import type { Io } from '../../cli-kit/io.js';
import { ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import type { StageSettings } from './stage-settings.js';

/** What commander makes of the options of a review of a diff. */
export interface StageOptions {
  readonly diff?: string | true;
  readonly staged?: boolean;
  readonly plan?: string;
  readonly results?: string;
  readonly verification?: string;
  readonly verify?: string[];
  readonly session?: string;
  readonly human?: StageSettings['humanReview'];
  readonly allowTruncated?: string[];
  readonly again?: boolean;
}

/** Adds the options of a review of a diff. */
export function withStageOptions(
  command: Command,
  collect: (value: string, earlier?: string[]) => string[],
): Command {
  return command
    .option(
      '--diff [range]',
      'review changes of a git repository as finished work: A..B, A...B, a commit to compare the files with, or nothing for what is not committed',
    )
    .option('--staged', 'the same for what is staged')
    .option(
      '--verify <command>',
      'with --diff: a command that verifies the work first (may be repeated)',
      collect,
    )
    .option('--plan <file>', 'with --diff: what was planned')
    .option(
      '--results <file>',
      'with --diff: what was carried out, as JSON [{ step, status, output }]',
    )
    .option(
      '--verification <file>',
      'with --diff: what was verified before, as JSON [{ name, passed, details }]',
    )
    .option('--session <id>', 'with --diff: the session that the work belongs to')
    .addOption(
      new Option(
        '--human <policy>',
        'with --diff: whether a person is asked after an approval',
      ).choices(['auto', 'prompt', 'require']),
    )
    .option(
      '--allow-truncated <path>',
      'with --diff: a file that may be judged in part (may be repeated)',
      collect,
    )
    .option('--again', 'with --diff: ask every judge anew, although nothing changed');
}

/** What else a review of a diff is told. */
export type SharedOptions = Pick<
  StageSettings,
  'paths' | 'task' | 'taskText' | 'config' | 'format' | 'quiet' | 'maxFileSize'
> & {
  readonly provider: ProviderChoice | undefined;
  readonly store: string;
};

const onlyWithDiff = [
  'verify',
  'plan',
  'results',
  'verification',
  'session',
  'human',
  'allowTruncated',
  'again',
] as const;
const onlyWithout = [
  'fix',
  'write',
  'criteria',
  'failOn',
  'type',
  'exclude',
  'iterations',
  'trust',
  'confirmWith',
] as const;

/**
 * The settings of a review of a diff; `undefined` where the options ask for none.
 *
 * @throws ReviewLoopError `usage` for options that do not go together
 */
export function stageSettingsOf(
  io: Io,
  options: StageOptions & Readonly<Record<string, unknown>>,
  shared: SharedOptions,
): StageSettings | undefined {
  const {
    diff,
    staged = false,
    verify = [],
    plan,
    results,
    verification,
    session,
    human,
    allowTruncated = [],
    again = false,
  } = options;
  const flag = (name: string): string =>
    `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (diff === undefined && !staged) {
    const found = onlyWithDiff.find((name) => options[name] !== undefined);
    if (found !== undefined)
      throw new ReviewLoopError(nodeErrors.usage, `${flag(found)} goes with --diff or --staged`);
    return undefined;
  }
  if (diff !== undefined && staged)
    throw new ReviewLoopError(nodeErrors.usage, 'give --diff or --staged, not both');
  const misplaced = onlyWithout.find((name) => options[name] !== undefined);
  if (misplaced !== undefined)
    throw new ReviewLoopError(
      nodeErrors.usage,
      `${flag(misplaced)} does not go with --diff or --staged`,
    );
  if (session !== undefined && session.trim() === '')
    throw new ReviewLoopError(nodeErrors.usage, '--session expects a name');
  return {
    ...shared,
    ...{ plan, results, verification, verify, session, humanReview: human, allowTruncated, again },
    diff: staged
      ? { kind: 'staged' }
      : typeof diff === 'string'
        ? requestOf(diff)
        : { kind: 'working-tree', base: undefined },
    store: resolve(io.cwd, storeFolder(shared.store)),
  };
}

function requestOf(diff: string): StageSettings['diff'] {
  return diff.includes('..')
    ? { kind: 'range', range: diff }
    : { kind: 'working-tree', base: diff };
}
