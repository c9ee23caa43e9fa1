import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import type { Io } from '../io.js';
import { readBy, requirePerson } from '../require-person.js';
import type { StoreHandle } from '../store-handle.js';
import { readerIn } from './common-flags.js';
import { type Flag, flagName, isSetting, type SettingsOf } from './flag.js';

export interface CommandCall {
  readonly io: Io;
  readonly entry: URL;
}

/** The store is open until the command ends. */
export interface StoredCall extends CommandCall {
  readonly store: StoreHandle;
}

type CallOf<Flags extends readonly Flag[]> =
  SettingsOf<Flags> extends { readonly store: string } ? StoredCall : CommandCall;

/** A command: its texts, its flags and its function. */
export interface CommandOptions<Flags extends readonly Flag[]> {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly flags: Flags;
  /** Text after the flags in its help. @default none */
  readonly help?: string;
  /**
   * What is stored of a call that the user ends, and how to go on.
   *
   * @default 'run the command again'
   */
  readonly cancelled?: string;
  /**
   * What a call says in the name of a person, such as 'you accept the work'; undefined for one that
   * an agent may make.
   *
   * @default an agent may call it
   */
  readonly person?: (settings: SettingsOf<Flags>) => string | undefined;
  /** Returns the exit code. */
  readonly run: (call: CallOf<Flags>, settings: SettingsOf<Flags>) => Promise<number>;
}

export type Perform = (work: (call: CommandCall) => Promise<number>) => Promise<void>;

export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  readonly commands: readonly CliCommand[];
  readonly commander: (perform: Perform) => Command;
}

export function defineCommand<const Flags extends readonly Flag[]>(
  options: CommandOptions<Flags>,
): CliCommand {
  const { name, summary, flags, run, person, cancelled = 'run the command again' } = options;
  return {
    name,
    summary,
    flags,
    commands: [],
    commander: (perform) => {
      const command = withFlags(withTexts(new Command(name), options), flags);
      return command.action(() =>
        perform(async ({ io, entry }) => {
          const settings = settingsOf(flags, command);
          const act = person?.(settings);
          if (act !== undefined) await requirePerson(io, act);
          const reader = readerIn(settings) ?? io.reader ?? 'default';
          const call = { io: readBy(io, reader), entry };
          return runOpen(call, settings, run).catch((error: unknown) => {
            if (io.signal.aborted) io.err(`cancelled: ${cancelled}\n`);
            throw error;
          });
        }),
      );
    },
  };
}

/**
 * The store is opened first, so that an unusable one stops the command before any work; and the
 * settings name it without its password.
 */
async function runOpen<Flags extends readonly Flag[]>(
  call: CommandCall,
  settings: SettingsOf<Flags>,
  run: CommandOptions<Flags>['run'],
): Promise<number> {
  const text = 'store' in settings ? settings.store : undefined;
  if (typeof text !== 'string') return run(callOf<Flags>(call), settings);
  const { openStore } = await import('../open-store.js');
  const store = await openStore(text, call.io.cwd);
  try {
    return await run(callOf<Flags>(call, store), { ...settings, store: store.text });
  } finally {
    await store.close();
  }
}

function callOf<Flags extends readonly Flag[]>(
  call: CommandCall,
  store?: StoreHandle,
): CallOf<Flags>;
function callOf(call: CommandCall, store?: StoreHandle): CommandCall {
  return { ...call, ...(store && { store }) };
}

export interface CommandGroup
  extends Pick<CommandOptions<[]>, 'name' | 'summary' | 'description' | 'help'> {
  readonly commands: readonly CliCommand[];
  /** Handles a name that no command has. Without it, such a name is a usage error. */
  readonly otherwise?: (call: CommandCall, name: string | undefined) => Promise<number>;
}

export function commandGroup(options: CommandGroup): CliCommand {
  const { name, summary, commands, otherwise } = options;
  return {
    name,
    summary,
    flags: [],
    commands,
    commander: (perform) => {
      const group = withTexts(new Command(name), options);
      if (otherwise !== undefined)
        group
          .argument('[command...]')
          .allowUnknownOption()
          .action((names: readonly string[]) => perform((call) => otherwise(call, names[0])));
      for (const command of commands) group.addCommand(command.commander(perform));
      return group;
    },
  };
}

export function parseSettings<const Flags extends readonly Flag[]>(
  flags: Flags,
  argv: readonly string[],
): SettingsOf<Flags> {
  const command = withFlags(new Command(), flags)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  command.action(() => {}).parse([...argv], { from: 'user' });
  return settingsOf(flags, command);
}

function withTexts(
  command: Command,
  { summary, description, help }: Pick<CommandGroup, 'summary' | 'description' | 'help'>,
): Command {
  command.summary(summary).description(description);
  return help === undefined ? command : command.addHelpText('after', help);
}

function withFlags(command: Command, flags: readonly Flag[]): Command {
  const given = new Map<string, GivenValue>();
  for (const one of flags) {
    if (one.operand === true) command.addArgument(argumentOf(one));
    else
      for (const option of optionsOf(one)) {
        command.addOption(option);
        if (one.many !== true) refuseMore(command, { one, option, given });
      }
  }
  return command;
}

interface GivenValue {
  readonly option: Option;
  readonly value: unknown;
}

/** Of two values of a setting, one would be dropped. */
function refuseMore(
  command: Command,
  about: {
    readonly one: Flag;
    readonly option: Option;
    readonly given: Map<string, GivenValue>;
  },
): void {
  const { one, option, given } = about;
  command.on(`option:${option.name()}`, (text: string | null) => {
    for (const [name, value] of Object.entries(
      one.sets ?? { [one.name]: text ?? !option.negate },
    )) {
      const { option: earlier, value: known } = given.get(name) ?? { option, value };
      if (known !== value)
        command.error(
          earlier === option
            ? `error: option '${option.flags}' was given two values; give one`
            : `error: option '${option.flags}' cannot be used with '${earlier.flags}'`,
          { code: 'commander.invalidArgument' },
        );
      given.set(name, { option, value });
    }
  });
}

function argumentOf({ name, arg = '', help, choices, accepts, many }: Flag): Argument {
  const shown = many === true ? `${arg.slice(0, 1)}${name}...${arg.slice(-1)}` : arg;
  const argument = new Argument(shown, help);
  if (choices === undefined) return argument;
  argument.choices(choices);
  if (accepts === undefined) return argument;
  return argument.argParser((text: string) => {
    if (choices.includes(text) || accepts.test(text)) return text;
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
  });
}

function optionsOf(one: Flag): Option[] {
  const { name, short, arg, help, off } = one;
  const letter = short === undefined ? '' : `-${short}, `;
  const written = `${letter}${flagName(name)}${arg === undefined ? '' : ` ${arg}`}`;
  return [
    ...(off !== undefined && arg === undefined ? [] : [withValue(new Option(written, help), one)]),
    ...(off === undefined ? [] : [new Option(`--no-${flagName(name).slice(2)}`, off)]),
  ];
}

function withValue(option: Option, { parse, choices, many, required, sets, ...one }: Flag): Option {
  if (parse !== undefined) option.argParser(parse);
  if (choices !== undefined) option.choices(choices);
  if (many === true)
    option.argParser((value: string, earlier: readonly string[] = []) => [...earlier, value]);
  if (required === true) option.makeOptionMandatory();
  if (sets !== undefined) option.implies(sets);
  return one.default === undefined ? option : option.default(one.default);
}

function settingsOf<Flags extends readonly Flag[]>(
  flags: Flags,
  command: Command,
): SettingsOf<Flags>;
function settingsOf(flags: readonly Flag[], command: Command): Readonly<Record<string, unknown>> {
  const options: Readonly<Record<string, unknown>> = command.opts();
  const operands = flags.filter(({ operand }) => operand === true);
  const settings = Object.fromEntries(
    flags.filter(isSetting).map((one) => {
      const value: unknown =
        one.operand === true ? command.processedArgs[operands.indexOf(one)] : options[one.name];
      return [one.name, value ?? emptyOf(one)];
    }),
  );
  return settings['reporter'] === 'json' ? { ...settings, format: 'json' } : settings;
}

function emptyOf({ many, arg }: Flag): unknown {
  if (many === true) return [];
  return arg === undefined ? false : undefined;
}
