import { root } from '../architecture/repository.js';
import { runCli } from '../unit/faces/cli/harness.js';

/** A command of the program, with its help. */
export interface CommandHelp {
  /** Its words: `checklist`, `verify`. */
  readonly argv: readonly string[];
  readonly help: string;
  /** Its options: `--json`, without `--help`. */
  readonly options: readonly string[];
}

/** The names below `Commands:` of a help text. */
function commandsIn(help: string): string[] {
  const list = help.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? '';
  return [...list.matchAll(/^ {2}(\w[\w-]*)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');
}

async function helpOf(argv: readonly string[]): Promise<CommandHelp> {
  const help = (await runCli(root, [...argv, '--help'])).out;
  const options = [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)]
    .map(([, option = '']) => option)
    .filter((option) => option !== '--help');
  return { argv, help, options };
}

/** Returns every command and subcommand of the program. */
export async function everyCommand(): Promise<CommandHelp[]> {
  const whole = await helpOf([]);
  const commands = await Promise.all(commandsIn(whole.help).map((name) => helpOf([name])));
  const own = await Promise.all(
    commands.flatMap(({ argv, help }) => commandsIn(help).map((sub) => helpOf([...argv, sub]))),
  );
  return [...commands, ...own];
}
