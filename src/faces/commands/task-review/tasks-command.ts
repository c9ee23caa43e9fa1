import { commandGroup, defineCommand } from '../../cli-kit/flags/command.js';
import { runTasksFlags, taskStatusFlags } from './task-flags.js';

const help = `
The list is Markdown: headings that begin with an id, below each a checklist and a line
\`Depends on: ID\`. The command reads the task from its standard input, and its id and attempt from
REVIEWLOOP_TASK_ID and REVIEWLOOP_ATTEMPT. It runs code with your permissions. Approved work is
committed; with --parallel each task has its own git worktree.

Exit codes: the worst of all tasks: 0 done, 50 not done, 51 rejected by a person, 52 timed out,
53 suspended, 1 failed.

Examples:
  reviewloop tasks run --tasks tasks.md --all --exec 'claude -p' --test-command 'npm test' --provider cli:claude
  reviewloop tasks run --tasks tasks.md --task TASK-003 --exec ./do-task.sh --hitl-review
  reviewloop tasks status --tasks tasks.md`;

export const tasksCommand = commandGroup({
  name: 'tasks',
  summary: 'do the tasks of a list, and review each',
  description:
    'Does tasks one after another or in parallel. Tests, lint, a code review and a person decide what is committed.',
  help,
  commands: [
    defineCommand({
      name: 'run',
      summary: 'do tasks',
      description: 'Does the tasks that are not done yet, each after its dependencies.',
      flags: runTasksFlags,
      person: ({ hitlUnattended }) =>
        hitlUnattended === 'ignore' ? 'nobody is asked about the tasks' : undefined,
      run: async (...given) => (await import('./run-tasks.js')).startTasks(...given),
    }),
    defineCommand({
      name: 'status',
      summary: 'show task status',
      description: 'Prints one line per task: the result of its last attempt, and the review.',
      flags: taskStatusFlags,
      run: async (...given) => (await import('./run-tasks.js')).showTaskStatus(...given),
    }),
  ],
});
