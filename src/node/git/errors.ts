import { errorTable } from '../../core/error-table.js';

/** The errors of git. */
export const gitErrors = /* @__PURE__ */ errorTable({
  not_a_repository: {
    kind: 'usage',
    fix: 'Name a folder inside a git work tree; `git init` creates one.',
  },
  revision_unknown: {
    kind: 'usage',
    fix:
      'Name commits, tags or branches of this repository. ' +
      'If the clone is shallow, fetch them first.',
  },
  git_locked: {
    kind: 'environment',
    fix:
      'Wait for the other git process. ' +
      'If none is running, remove the lock file that the message names.',
  },
  history_changed: {
    kind: 'environment',
    fix:
      'Look at the history with `git reflog` and `git log --all`, and put back what you miss. ' +
      'A command that works on a task leaves branches, tags, stashes and earlier commits alone.',
  },
  git_failed: { kind: 'environment', fix: 'Read what git said; run the same command by hand.' },
});
