import { join } from 'node:path';
import { cliErrors } from '../../cli-kit/errors.js';
import type { Io } from '../../cli-kit/io.js';
import { configFiles } from '../../config/load-config.js';
import { ReviewLoopError } from '../../core/errors.js';
import { isThere, writeFileAtomic } from '../../node/files.js';
import { configTemplate } from './config-template.js';

const fileName = 'reviewloop.config.mjs';

/** Writes a configuration unless one exists, and returns the exit code. */
export async function writeConfig(io: Io): Promise<number> {
  for (const name of configFiles) {
    if (await isThere(join(io.cwd, name)))
      throw new ReviewLoopError(
        cliErrors.already_exists,
        `${name} already exists and was left unchanged`,
        {
          value: name,
        },
      );
  }
  await writeFileAtomic(join(io.cwd, fileName), configTemplate, { shared: true });
  await io.out(`written: ${fileName}\nnext: reviewloop review PATHS --task TASK.md\n`);
  return 0;
}
