import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import {
  formatOption,
  jsonOption,
  storeFolder,
  storeOption,
  wholeNumber,
} from '../../cli-kit/common-options.js';
import type { ReviewSettings } from '../../cli-kit/inputs/review-settings.js';
import type { Io } from '../../cli-kit/io.js';
import {
  type ProviderFlags,
  providerOption,
  withProviderOptions,
} from '../../cli-kit/provider/provider-options.js';
import type { Severity } from '../../core/severity.js';
import type { TrustName } from '../../pipeline/trust-names.js';
import { reviewDiff } from '../../reviewer-stage/command/review-diff.js';
import {
  type SharedOptions,
  type StageOptions,
  stageSettingsOf,
  withStageOptions,
} from '../../reviewer-stage/command/stage-cli-options.js';
import { runReview } from './run-review.js';

const help = `
Files are told by their extension: html is a mockup, css and scss are stylesheets, md and txt are
documents, json with "epics" is a plan, ts, js, py and others are code; --type changes that. Binary
files and files that are not UTF-8 are listed as not reviewed. .git, node_modules and .reviewloop
are left out. Paths may be files, folders, globs (*, **, ?, {a,b}) and - for the standard input.

Exit codes: 0 approved or accepted, 50 not approved, 51 declined by a person, 52 timed out,
53 suspended (go on with "reviewloop answer"), 1 failed, 2 wrong use, 130 cancelled.

Examples:
  reviewloop review site --task TASK.md
  reviewloop review 'site/**/*.html' --task TASK.md --criteria html --fail-on minor
  reviewloop review site --task TASK.md --fix --write
  git diff --name-only main | xargs reviewloop review --task-text 'Pages pass the accessibility checks'
  cat page.html | reviewloop review - --type stdin=mockup --task TASK.md --format json`;

/** What commander makes of the options. */
interface ReviewOptions extends StageOptions, ProviderFlags {
  readonly task?: string;
  readonly taskText?: string;
  readonly fix?: boolean;
  readonly write?: boolean;
  readonly config?: string | boolean;
  readonly criteria?: string;
  readonly format: 'text' | 'json';
  readonly failOn?: Severity;
  readonly quiet?: boolean;
  readonly type?: string[];
  readonly exclude?: string[];
  readonly maxFileSize: number;
  readonly maxFiles: number;
  readonly iterations?: number;
  readonly trust?: TrustName;
  readonly confirmWith?: string[];
  readonly store: string;
  readonly checkTimeout: number;
}

/** `reviewloop review`: reviews files against a task. */
export function reviewCommand(io: Io, entry: URL, done: (code: number) => void): Command {
  const command = new Command('review')
    .summary('review files against a task, and repair what needs no guess with --fix')
    .description(
      'Reviews files against a task: html, css, plans, texts, code and the coverage of what the task demands, or your own criteria.',
    )
    .argument('[paths...]', 'files, folders, globs, or - for the standard input')
    .option('-t, --task <file>', 'the task: what was asked (- for the standard input)')
    .option('--task-text <text>', 'the task itself')
    .option('--fix', 'let criteria repair what they can without guessing, and review again')
    .option('--write', 'write the best version back to the files (implies --fix)')
    .option(
      '-c, --config <file>',
      'the configuration (default: reviewloop.config.{js,mjs,ts,json,yaml,yml}, found upward)',
    )
    .option('--no-config', 'look for no configuration')
    .option(
      '--criteria <name|file>',
      'auto, html, css, plan, text, code, ui-designer, project-manager, accepted, or a file that exports criteria (default: auto)',
    )
    .addOption(formatOption())
    .addOption(jsonOption())
    .addOption(
      new Option(
        '--fail-on <severity>',
        'exit with 50 although approved, when a gap so bad or worse is open',
      ).choices(['critical', 'major', 'minor']),
    )
    .addOption(
      new Option(
        '--trust <preset>',
        'check findings of models a second time, and have approvals confirmed (docs/trust.md has the cost of each)',
      ).choices(['fast', 'guarded', 'autonomous']),
    )
    .option(
      '--confirm-with <name>',
      'with --trust: a model that looks a second time and confirms, best of another family (may be repeated)',
      collect,
    )
    .option('-q, --quiet', 'tell no progress')
    .option(
      '--type <glob=type>',
      'the type of files, such as *.tpl=mockup (may be repeated)',
      collect,
    )
    .option('--exclude <glob>', 'leave files or folders out (may be repeated)', collect)
    .option(
      '--max-file-size <bytes>',
      'refuse files that are larger; k and m may follow the number',
      sizeOf,
      2_000_000,
    )
    .option('--max-files <n>', 'refuse more files than that', wholeNumber, 1000)
    .option('--iterations <n>', 'how many reviews a --fix loop may have (default: 3)', wholeNumber)
    .option('--check-timeout <seconds>', 'how long one check may take', seconds, 60)
    .addOption(storeOption())
    .addHelpText('after', help)
    .action(async (paths: string[], options: ReviewOptions) => {
      const stage = stageSettingsOf(io, { ...options }, { ...sharedOf(options), paths });
      done(
        stage === undefined
          ? await runReview(io, settingsOf(io, entry, paths, options))
          : await reviewDiff(io, stage),
      );
    });
  return withStageOptions(withProviderOptions(command, 'the model that is asked'), collect);
}

function sharedOf(options: ReviewOptions): Omit<SharedOptions, 'paths'> {
  const { task, taskText, config, format, quiet = false, maxFileSize, store } = options;
  return {
    task,
    taskText,
    config: typeof config === 'string' || config === false ? config : undefined,
    format,
    quiet,
    maxFileSize,
    store,
    provider: providerOption(options),
  };
}

function settingsOf(io: Io, entry: URL, paths: string[], options: ReviewOptions): ReviewSettings {
  const {
    task,
    taskText,
    write = false,
    fix = write,
    config,
    criteria,
    format,
    failOn,
    quiet = false,
    type: types = [],
    exclude = [],
    maxFileSize,
    maxFiles,
    iterations,
    checkTimeout,
  } = options;
  return {
    ...{
      paths,
      task,
      taskText,
      fix: fix || write,
      write,
      criteria,
      format,
      failOn,
      quiet,
      types,
      exclude,
      maxFileSize,
      maxFiles,
      iterations,
    },
    config: typeof config === 'string' || config === false ? config : undefined,
    store: resolve(io.cwd, storeFolder(options.store)),
    shownFrom: io.cwd,
    checkTimeoutMs: checkTimeout * 1000,
    provider: providerOption(options),
    ...{ trust: options.trust, confirmWith: options.confirmWith },
    again: againOf(paths, options),
    example: false,
    watchdogEntry: io.watched ? entry : undefined,
  };
}

/** The arguments with which the same review can be run again; none when the standard input was read. */
function againOf(paths: readonly string[], options: ReviewOptions): readonly string[] | undefined {
  if (paths.includes('-') || options.task === '-') return undefined;
  const given = (flag: string, value: string | undefined): string[] =>
    value === undefined ? [] : [flag, value];
  return [
    ...paths,
    ...given('--task', options.task),
    ...given('--task-text', options.taskText),
    ...given('--config', typeof options.config === 'string' ? options.config : undefined),
    ...(options.config === false ? ['--no-config'] : []),
    ...given('--criteria', options.criteria),
    ...given('--fail-on', options.failOn),
    ...given('--provider', options.provider),
    ...given('--model', options.model),
    ...given('--base-url', options.baseUrl),
    ...given('--trust', options.trust),
    ...(options.confirmWith ?? []).flatMap((name) => ['--confirm-with', name]),
    ...(options.type ?? []).flatMap((rule) => ['--type', rule]),
    ...(options.exclude ?? []).flatMap((glob) => ['--exclude', glob]),
    ...(options.maxFileSize === 2_000_000 ? [] : ['--max-file-size', String(options.maxFileSize)]),
    ...(options.maxFiles === 1000 ? [] : ['--max-files', String(options.maxFiles)]),
    ...given('--iterations', options.iterations?.toString()),
    ...(options.store === 'file:.reviewloop' ? [] : ['--store', options.store]),
    ...(options.fix ? ['--fix'] : []),
  ];
}

function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}

function sizeOf(value: string): number {
  const found = /^([1-9]\d{0,11})([km]?)$/i.exec(value);
  if (found === null)
    throw new InvalidArgumentError('Expected a number of bytes from 1, such as 500k or 2m.');
  return (
    Number(found[1]) *
    { '': 1, k: 1000, m: 1_000_000 }[(found[2] ?? '').toLowerCase() as '' | 'k' | 'm']
  );
}

function seconds(value: string): number {
  const number = Number(value);
  if (!(number > 0 && number <= 86_400))
    throw new InvalidArgumentError('Expected a number of seconds above 0.');
  return number;
}
