import type { CliCommand } from '../../cli-kit/flags/command.js';
import { type Flag, flagName } from '../../cli-kit/flags/flag.js';

/** What may stand at a place of the command line. */
export interface Values {
  /** Fixed words. */
  readonly words: readonly string[];
  readonly kind: 'words' | 'files' | 'runs' | 'text';
}

/** A flag with its names, as `--task` and `-t`. */
export interface CompletedFlag {
  readonly names: readonly string[];
  readonly help: string;
  /** The values after it; `undefined` for a switch. */
  readonly values: Values | undefined;
}

/** A command with what may follow it. */
export interface CompletedCommand {
  /** The words that name it, such as `tasks run`; '' for the program. */
  readonly path: string;
  readonly summary: string;
  readonly commands: readonly CompletedCommand[];
  readonly flags: readonly CompletedFlag[];
  readonly operands: Values;
}

const help: CompletedFlag = { names: ['--help', '-h'], help: 'show help', values: undefined };
const version: CompletedFlag = {
  names: ['--version', '-V'],
  help: 'show the version',
  values: undefined,
};

/** Returns the program as a tree of what can be completed, from the definitions of its commands. */
export function completionTree(commands: readonly CliCommand[]): CompletedCommand {
  return {
    path: '',
    summary: '',
    commands: commands.map((command) => commandIn('', command)),
    flags: [help, version],
    operands: noValues,
  };
}

/** Returns a command and all commands below it. */
export function allCommands(tree: CompletedCommand): CompletedCommand[] {
  return [tree, ...tree.commands.flatMap(allCommands)];
}

const noValues: Values = { words: [], kind: 'text' };

function commandIn(above: string, command: CliCommand): CompletedCommand {
  const path = above === '' ? command.name : `${above} ${command.name}`;
  const operands = command.flags.filter(({ operand }) => operand === true);
  return {
    path,
    summary: command.summary,
    commands: command.commands.map((below) => commandIn(path, below)),
    flags: [...command.flags.filter(({ operand }) => operand !== true).flatMap(flagsOf), help],
    operands: together(operands.map((one) => valuesOf(one, path))),
  };
}

function flagsOf(one: Flag): CompletedFlag[] {
  const name = flagName(one.name);
  const short = one.short === undefined ? [] : [`-${one.short}`];
  const values = one.arg === undefined ? undefined : valuesOf(one, '');
  const on = { names: [name, ...short], help: one.help, values };
  if (one.off === undefined) return [on];
  const off = { names: [`--no-${name.slice(2)}`], help: one.off, values: undefined };
  return one.arg === undefined ? [off] : [on, off];
}

/** Commands whose operand `id` is not a run. */
const otherIds = /^(?:checklist|lessons)\b/;

function valuesOf({ name, arg = '', choices, operand }: Flag, path: string): Values {
  if (choices !== undefined) return { words: choices, kind: 'words' };
  if (operand === true && /^ids?$/.test(name) && !otherIds.test(path))
    return { words: [], kind: 'runs' };
  return /file|dir|folder|path|task\b/i.test(arg) ? { words: [], kind: 'files' } : noValues;
}

/** Returns what may stand at any of several places: completion does not count operands. */
function together(all: readonly Values[]): Values {
  const words = all.flatMap((one) => one.words);
  const special = all.find(({ kind }) => kind === 'runs' || kind === 'files');
  return { words, kind: special?.kind ?? (words.length > 0 ? 'words' : 'text') };
}
