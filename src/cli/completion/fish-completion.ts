import {
  allCommands,
  type CompletedCommand,
  type CompletedFlag,
  type Values,
} from './completion-tree.js';
import { shellQuoted } from './shell-quoted.js';

export function fishCompletion(tree: CompletedCommand): string {
  const commands = allCommands(tree);
  const lines = commands.flatMap(linesOf);
  return `# fish completion of reviewloop
function __reviewloop_command
    set -l command
    for word in (commandline -opc)[2..-1]
        switch (string join -- ' ' $command $word)
            case ${commands.flatMap(({ path }) => (path === '' ? [] : [quoted(path)])).join(' ')}
                set command $command $word
        end
    end
    set -l typed (string join -- ' ' $command)
    test "$typed" = "$argv[1]"
end
function __reviewloop_runs
    for run in .reviewloop/runs/*
        basename $run
    end
end
complete -c reviewloop -f
${lines.join('\n')}
`;
}

function linesOf({ path, commands, flags, operands }: CompletedCommand): string[] {
  const start = `complete -c reviewloop -n ${shellQuoted(`__reviewloop_command ${quoted(path)}`)}`;
  return [
    ...commands.map(
      (one) => `${start} -a ${quoted(one.path.split(' ').at(-1) ?? '')} -d ${quoted(one.summary)}`,
    ),
    ...argumentsOf(operands).map((more) => `${start}${more}`),
    ...flags.map((one) => `${start}${flagText(one)}`),
  ];
}

function flagText({ names, help, values }: CompletedFlag): string {
  const named = names.map((name) =>
    name.startsWith('--') ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`,
  );
  const taken =
    values === undefined
      ? ''
      : ` -${values.kind === 'files' ? 'r' : 'x'}${argumentsOf(values).join('')}`;
  return `${named.join('')}${taken} -d ${quoted(help)}`;
}

function argumentsOf({ words, kind }: Values): string[] {
  return [
    ...(words.length > 0 ? [` -a ${quoted(words.join(' '))}`] : []),
    ...(kind === 'files' ? [' -F'] : []),
    ...(kind === 'runs' ? [" -a '(__reviewloop_runs)'"] : []),
  ];
}

/** Returns a text in quotes of fish, where only quotes and backslashes are special. */
function quoted(text: string): string {
  return `"${text.replace(/["$\\]/g, '\\$&')}"`;
}
