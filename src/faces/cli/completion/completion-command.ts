import { type CliCommand, defineCommand } from '../../cli-kit/flags/command.js';
import { operand } from '../../cli-kit/flags/flag.js';

const help = `
Load it in the start file of your shell:
  bash  eval "$(reviewloop completion bash)"
  zsh   eval "$(reviewloop completion zsh)"
  fish  reviewloop completion fish | source`;

export function completionCommand(commands: () => readonly CliCommand[]): CliCommand {
  return defineCommand({
    name: 'completion',
    summary: 'print the completion of a shell',
    description: 'Prints a script that completes commands, flags, values, files and runs.',
    flags: [
      operand({
        name: 'shell',
        arg: '<shell>',
        required: true,
        choices: ['bash', 'zsh', 'fish'],
        help: 'the shell',
      }),
    ],
    help,
    run: async ({ io }, { shell }) => {
      const { completionFor } = await import('./completion-text.js');
      await io.out(completionFor(shell, commands()));
      return 0;
    },
  });
}
