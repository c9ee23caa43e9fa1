import { join } from 'node:path';
import { decorate } from '../../core/decorate-reviewer.js';
import { ReviewLoopError } from '../../core/errors.js';
import { fileState } from '../../node/file-state.js';
import { portErrors } from '../../ports/errors.js';
import { oneLine } from '../../terminal/sanitise.js';
import type { TaskCheck } from '../task-checks.js';

/**
 * Makes the result of a command count only if nobody wrote to the changed files while it ran, not
 * even to bring the old content back. The command needs the folder itself, with all that is
 * installed in it, so it gets no copy.
 */
export function undisturbed(folder: string, check: TaskCheck): TaskCheck {
  return decorate(check, {
    tag: undefined,
    reply: async ({ reviewer, subject, answer }) => {
      const { files } = subject.output.change;
      const states = async (): Promise<string[]> => {
        const now = await Promise.all(files.map(({ path }) => fileState(join(folder, path))));
        return files.map(({ path }, index) => `${path}\0${now[index]}`);
      };
      const before = new Set(await states());
      const given = await answer();
      const written = (await states()).filter((state) => !before.has(state));
      if (written.length === 0) return given;
      const names = written.map((state) => state.split('\0', 1)[0]).slice(0, 5);
      const error = new ReviewLoopError(
        portErrors.workspace_failed,
        `${oneLine(names.join(', '))} changed while ${reviewer.id} ran, so its result does not count`,
        { value: names },
      );
      return [{ verdict: 'errored', criterion: reviewer.id, error }];
    },
  });
}
