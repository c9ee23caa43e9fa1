import { trustNames } from '../../../blocks/pipeline/trust-names.js';
import {
  configFlag,
  excludeFlag,
  maxFileSizeFlag,
  outputFlags,
  providerFlags,
  quietFlag,
  storeFlag,
} from '../../cli-kit/flags/common-flags.js';
import { flag, operand } from '../../cli-kit/flags/flag.js';
import { seconds, wholeNumber } from '../../cli-kit/flags/values.js';
import { reportFlag } from '../../cli-kit/reports/report-flag.js';
import { stageFlags } from '../../commands/reviewer-stage/stage-flags.js';

const paths = operand({
  name: 'paths',
  arg: '[paths]',
  many: true,
  help: 'files, folders, globs, or - for the standard input',
});

export const requestFlags = [
  flag({
    name: 'fix',
    help: 'let criteria fix what needs no guess, then review again',
  }),
  flag({ name: 'write', help: 'write the best version back to the files; implies --fix' }),
  flag({
    name: 'iterations',
    arg: '<n>',
    parse: wholeNumber,
    help: 'with --fix: the maximum number of reviews (default: 3)',
  }),
  configFlag,
  flag({
    name: 'criteria',
    arg: '<name|file>',
    many: true,
    help:
      'auto, html, css, plan, text, code, page, ui-designer, project-manager, accepted, or a ' +
      'file that exports criteria; several with commas, or repeated (default: auto)',
  }),
  flag({ name: 'pages', help: 'also judge pages as Chromium shows them' }),
  flag({
    name: 'words',
    arg: '<how>',
    choices: ['hint', 'decide'],
    help: 'decide: words that occur satisfy a requirement (default: hint)',
  }),
  flag({
    name: 'type',
    arg: '<glob=type>',
    many: true,
    help: 'the type of matching files, such as *.tpl=mockup; may be repeated',
  }),
  excludeFlag,
  maxFileSizeFlag(2_000_000),
  flag({
    name: 'maxFiles',
    arg: '<n>',
    parse: wholeNumber,
    default: 1000,
    help: 'refuse more files than this',
  }),
  flag({
    name: 'failOn',
    arg: '<severity>',
    choices: ['critical', 'major', 'minor'],
    help: 'exit 50 if an open gap is this severe',
  }),
  flag({
    name: 'checkTimeout',
    arg: '<seconds>',
    parse: seconds,
    default: 60,
    help: 'timeout of one check',
  }),
  flag({
    name: 'trust',
    arg: '<preset>',
    choices: trustNames,
    help: 'let models take turns until one fails or enough pass; docs/trust.md shows the cost',
  }),
  flag({
    name: 'confirmWith',
    arg: '<name>',
    many: true,
    help: 'with --trust: a model that takes turns, best of another family; may be repeated',
  }),
  ...providerFlags('the model to ask'),
] as const;

export const reviewFlags = [
  paths,
  flag({
    name: 'task',
    short: 't',
    arg: '<file>',
    help: 'the file with the task, or - for the standard input',
  }),
  flag({ name: 'taskText', arg: '<text>', help: 'the task itself' }),
  flag({
    name: 'requirements',
    arg: '<file>',
    help: 'judge exactly the requirements of this file (default: TASK.requirements.yml, if it exists)',
    off: 'leave the requirements of the task out on purpose',
  }),
  ...requestFlags,
  flag({
    name: 'require',
    arg: '<what>',
    choices: ['approved', 'checks'],
    default: 'approved',
    help: 'checks: exit 0 too if all checks passed, and nobody was there to judge the rest',
  }),
  reportFlag,
  ...outputFlags,
  quietFlag,
  flag({ name: 'watch', help: 'review again whenever the task or the files change' }),
  storeFlag,
  ...stageFlags,
] as const;
