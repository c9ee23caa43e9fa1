import type { CliCommand } from '../../cli-kit/flags/command.js';
import { type Flag, flagName } from '../../cli-kit/flags/flag.js';

const help: CompletedFlag = { names: ['--help', '-h'], help: 'show help', values: undefined };

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

export function completionFor(shell: keyof typeof shells, commands: readonly CliCommand[]): string {
  return shells[shell](completionTree(commands));
}

function bashCompletion(tree: CompletedCommand): string {
  const commands = allCommands(tree);
  const paths = commands.flatMap(({ path }) => (path === '' ? [] : [shellQuoted(path)]));
  return `# bash completion of reviewloop
_reviewloop() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local IFS=$'\\n' command='' words='' kind=text i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${command:+$command }\${COMP_WORDS[i]}" in
      ${paths.join('|')})
        command="\${command:+$command }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$command $prev" in
${flagCases(commands, (one, values) => `    ${one}) ${bashAssigned(values)} ;;`)}
    *)
      case "$command" in
${commands.map(bashCommandCase).join('\n')}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  case "$kind" in
    files) COMPREPLY+=($(compgen -f -- "$cur")) ;;
    runs) COMPREPLY+=($(compgen -W "$(ls .reviewloop/runs 2>/dev/null)" -- "$cur")) ;;
  esac
}
complete -o filenames -F _reviewloop reviewloop
`;
}

/** The cases of flags that take a value, as a shell writes them. */
function flagCases(
  commands: readonly CompletedCommand[],
  written: (words: string, values: Values) => string,
): string {
  const cases = commands.flatMap(({ path, flags }) =>
    flags.flatMap(({ names, values }) => {
      if (values === undefined) return [];
      return written(names.map((name) => shellQuoted(`${path} ${name}`)).join('|'), values);
    }),
  );
  return cases.join('\n');
}

function bashCommandCase({ path, commands, flags, operands }: CompletedCommand): string {
  const below = commands.map((command) => command.path.split(' ').at(-1) ?? '');
  const words = [...below, ...operands.words, ...flags.flatMap(({ names }) => names.slice(0, 1))];
  return `        ${shellQuoted(path)}) ${bashAssigned({ ...operands, words })} ;;`;
}

function bashAssigned({ words, kind }: Values): string {
  return `words=$'${words.map((word) => word.replace(/['\\]/g, '\\$&')).join('\\n')}'; kind=${kind}`;
}

function fishCompletion(tree: CompletedCommand): string {
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

/** In fish only quotes and backslashes are special. */
function quoted(text: string): string {
  return `"${text.replace(/["$\\]/g, '\\$&')}"`;
}

/** It can be evaluated, or put into a folder of `fpath`. */
function zshCompletion(tree: CompletedCommand): string {
  const commands = allCommands(tree);
  const paths = commands.flatMap(({ path }) => (path === '' ? [] : [shellQuoted(path)]));
  return `#compdef reviewloop
# zsh completion of reviewloop
_reviewloop() {
  local command='' i kind=text
  local -a choices
  for ((i = 2; i < CURRENT; i++)); do
    case "\${command:+$command }\${words[i]}" in
      (${paths.join('|')})
        command="\${command:+$command }\${words[i]}" ;;
    esac
  done
  case "$command \${words[CURRENT-1]}" in
${flagCases(commands, (one, values) => `    (${one}) ${zshAssigned(values.words, values)} ;;`)}
    (*)
      case "$command" in
${commands.map(zshCommandCase).join('\n')}
      esac ;;
  esac
  (( \${#choices} )) && _describe -V 'reviewloop' choices
  case "$kind" in
    (files) _files ;;
    (runs) compadd -- .reviewloop/runs/*(N:t) ;;
  esac
}
if [ "\${funcstack[1]}" = _reviewloop ]; then
  _reviewloop "$@"
else
  compdef _reviewloop reviewloop
fi
`;
}

function zshCommandCase({ path, commands, flags, operands }: CompletedCommand): string {
  const below = commands.map((one) => described(one.path.split(' ').at(-1) ?? '', one.summary));
  const named = flags.map(({ names, help }) => described(names[0] ?? '', help));
  const all = [...below, ...operands.words.map((word) => described(word, '')), ...named];
  return `        (${shellQuoted(path)}) ${zshAssigned(all, operands)} ;;`;
}

function described(word: string, help: string): string {
  const name = word.replace(/:/g, '\\:');
  return help === '' ? name : `${name}:${help}`;
}

function zshAssigned(choices: readonly string[], { kind }: Values): string {
  return `choices=(${choices.map(shellQuoted).join(' ')}); kind=${kind}`;
}

function shellQuoted(text: string): string {
  return `'${text.replace(/'/g, "'\\''")}'`;
}

export interface Values {
  readonly words: readonly string[];
  readonly kind: 'words' | 'files' | 'runs' | 'text';
}

/** `names` are such as `--task` and `-t`. */
export interface CompletedFlag {
  readonly names: readonly string[];
  readonly help: string;
  /** The values after it; `undefined` for a switch. */
  readonly values: Values | undefined;
}

export interface CompletedCommand {
  /** The words that name it, such as `tasks run`; '' for the program. */
  readonly path: string;
  readonly summary: string;
  readonly commands: readonly CompletedCommand[];
  readonly flags: readonly CompletedFlag[];
  readonly operands: Values;
}

const version: CompletedFlag = {
  names: ['--version', '-V'],
  help: 'show the version',
  values: undefined,
};

function completionTree(commands: readonly CliCommand[]): CompletedCommand {
  return {
    path: '',
    summary: '',
    commands: commands.map((command) => commandIn('', command)),
    flags: [help, version],
    operands: noValues,
  };
}

function allCommands(tree: CompletedCommand): CompletedCommand[] {
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

/** Completion does not count operands. */
function together(all: readonly Values[]): Values {
  const words = all.flatMap((one) => one.words);
  const special = all.find(({ kind }) => kind === 'runs' || kind === 'files');
  return { words, kind: special?.kind ?? (words.length > 0 ? 'words' : 'text') };
}
