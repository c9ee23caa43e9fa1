import { usageError } from '../../cli-kit/errors.js';
import { type Flag, flag, flagName, type SettingsOf } from '../../cli-kit/flags/flag.js';

export const stageRequestFlags = [
  flag({
    name: 'verify',
    arg: '<command>',
    many: true,
    help: 'with --diff: a command that verifies the work first; may be repeated',
  }),
  flag({
    name: 'human',
    arg: '<policy>',
    choices: ['auto', 'prompt', 'require'],
    help: 'with --diff: whether to ask a person after an approval',
  }),
  flag({
    name: 'allowTruncated',
    arg: '<path>',
    many: true,
    help: 'with --diff: a file that may be judged in part; may be repeated',
  }),
  flag({ name: 'again', help: 'with --diff and --session: ask judges again that answered' }),
] as const;

const diffFlags = [
  flag({
    name: 'diff',
    arg: '[range]',
    help:
      'review changes of a git repository as finished work: A..B, A...B, a commit to ' +
      'compare the files with, or nothing for uncommitted changes',
  }),
  flag({ name: 'staged', help: 'review the staged changes as finished work' }),
] as const;

const workFlags = [
  flag({ name: 'plan', arg: '<file>', help: 'with --diff: the file with the plan' }),
  flag({
    name: 'results',
    arg: '<file>',
    help: 'with --diff: the file with executed steps, as JSON [{ step, status, output }]',
  }),
  flag({
    name: 'verification',
    arg: '<file>',
    help: 'with --diff: the file with earlier verifications, as JSON [{ name, passed, details }]',
  }),
  flag({
    name: 'session',
    arg: '<id>',
    help: 'with --diff: the session of the work',
  }),
] as const;

export const stageFlags = [...diffFlags, ...stageRequestFlags, ...workFlags] as const;

export type StageSettings = SettingsOf<typeof stageFlags> & {
  readonly paths: readonly string[];
  readonly task: string | undefined;
  readonly taskText: string | undefined;
  readonly config: string | false | undefined;
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly require: 'approved' | 'checks';
  readonly report: readonly string[];
  readonly format: 'text' | 'json';
  readonly quiet: boolean;
  readonly maxFileSize: number;
};

/** A review of a diff refuses the rest, which it would ignore. */
const sharedNames: readonly string[] = [
  'paths',
  'task',
  'taskText',
  'config',
  'provider',
  'model',
  'baseUrl',
  'contextTokens',
  'structured',
  'providerEnv',
  'maxFileSize',
  'require',
  'report',
  'format',
  'quiet',
  'store',
];

export function asksForDiff(
  settings: SettingsOf<typeof stageFlags> & Readonly<Record<string, unknown>>,
  flags: readonly Flag[],
): boolean {
  const { diff, staged, session } = settings;
  const given = flags.filter((one) => isGiven(one, settings[one.name]));
  if (diff === undefined && !staged) {
    const found = given.find(({ name }) => stageFlags.some((one) => one.name === name));
    if (found !== undefined)
      throw usageError(`${flagName(found.name)} requires --diff or --staged`);
    return false;
  }
  if (diff !== undefined && staged) throw usageError('pass --diff or --staged, not both');
  const misplaced = given.find(
    ({ name }) => !sharedNames.includes(name) && stageFlags.every((one) => one.name !== name),
  );
  if (misplaced !== undefined)
    throw usageError(`${writtenFlag(misplaced, settings)} cannot be used with --diff or --staged`);
  if (session !== undefined && session.trim() === '') throw usageError('--session expects a name');
  return true;
}

export function diffRequest({
  diff,
  staged,
}: Pick<StageSettings, 'diff' | 'staged'>):
  | { readonly kind: 'range'; readonly range: string }
  | { readonly kind: 'staged' }
  | { readonly kind: 'working-tree'; readonly base: string | undefined } {
  if (staged) return { kind: 'staged' };
  if (typeof diff !== 'string') return { kind: 'working-tree', base: undefined };
  return diff.includes('..')
    ? { kind: 'range', range: diff }
    : { kind: 'working-tree', base: diff };
}

function isGiven({ arg, default: usual }: Flag, value: unknown): boolean {
  if (value === undefined || value === usual) return false;
  return Array.isArray(value) ? value.length > 0 : value !== false || arg !== undefined;
}

/** `--fix`, or `--no-requirements`. */
function writtenFlag({ name }: Flag, settings: Readonly<Record<string, unknown>>): string {
  return settings[name] === false ? flagName(name).replace('--', '--no-') : flagName(name);
}
