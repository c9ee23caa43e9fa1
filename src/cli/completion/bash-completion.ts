import { allCommands, type CompletedCommand, type Values } from './completion-tree.js';
import { shellQuoted } from './shell-quoted.js';

/** Returns a completion for bash 3.2 and newer. */
export function bashCompletion(tree: CompletedCommand): string {
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
${commands.flatMap(flagCases).join('\n')}
    *)
      case "$command" in
${commands.map(commandCase).join('\n')}
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

function flagCases({ path, flags }: CompletedCommand): string[] {
  return flags.flatMap(({ names, values }) => {
    if (values === undefined) return [];
    const cases = names.map((name) => shellQuoted(`${path} ${name}`)).join('|');
    return [`    ${cases}) ${assigned(values)} ;;`];
  });
}

function commandCase({ path, commands, flags, operands }: CompletedCommand): string {
  const below = commands.map((command) => command.path.split(' ').at(-1) ?? '');
  const words = [...below, ...operands.words, ...flags.flatMap(({ names }) => names.slice(0, 1))];
  return `        ${shellQuoted(path)}) ${assigned({ ...operands, words })} ;;`;
}

function assigned({ words, kind }: Values): string {
  return `words=$'${words.map((word) => word.replace(/['\\]/g, '\\$&')).join('\\n')}'; kind=${kind}`;
}
