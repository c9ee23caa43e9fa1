import type { CliCommand } from '../../cli-kit/flags/command.js';
import { bashCompletion } from './bash-completion.js';
import { completionTree } from './completion-tree.js';
import { fishCompletion } from './fish-completion.js';
import { zshCompletion } from './zsh-completion.js';

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** Returns the completion of a shell for the commands of the program. */
export function completionFor(shell: keyof typeof shells, commands: readonly CliCommand[]): string {
  return shells[shell](completionTree(commands));
}
