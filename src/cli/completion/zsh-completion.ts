import { allCommands, type CompletedCommand, type Values } from './completion-tree.js';
import { shellQuoted } from './shell-quoted.js';

/** Returns a completion for zsh, to be evaluated or put into a folder of `fpath`. */
export function zshCompletion(tree: CompletedCommand): string {
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
${commands.flatMap(flagCases).join('\n')}
    (*)
      case "$command" in
${commands.map(commandCase).join('\n')}
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

function flagCases({ path, flags }: CompletedCommand): string[] {
  return flags.flatMap(({ names, values }) => {
    if (values === undefined) return [];
    const cases = names.map((name) => shellQuoted(`${path} ${name}`)).join('|');
    return [`    (${cases}) ${assigned(values.words, values)} ;;`];
  });
}

function commandCase({ path, commands, flags, operands }: CompletedCommand): string {
  const below = commands.map((one) => described(one.path.split(' ').at(-1) ?? '', one.summary));
  const named = flags.map(({ names, help }) => described(names[0] ?? '', help));
  const all = [...below, ...operands.words.map((word) => described(word, '')), ...named];
  return `        (${shellQuoted(path)}) ${assigned(all, operands)} ;;`;
}

function described(word: string, help: string): string {
  const name = word.replace(/:/g, '\\:');
  return help === '' ? name : `${name}:${help}`;
}

function assigned(choices: readonly string[], { kind }: Values): string {
  return `choices=(${choices.map(shellQuoted).join(' ')}); kind=${kind}`;
}
