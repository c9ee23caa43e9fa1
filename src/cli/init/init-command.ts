import { join } from 'node:path';
import { Command } from 'commander';
import { cliErrors } from '../../cli-kit/errors.js';
import type { Io } from '../../cli-kit/io.js';
import { configFiles } from '../../config/load-config.js';
import { ReviewLoopError } from '../../core/errors.js';
import { isThere, writeFileAtomic } from '../../node/files.js';
import { configTemplate } from './config-template.js';

const fileName = 'reviewloop.config.mjs';

const help = `
Examples:
  reviewloop init
  reviewloop init && reviewloop review site --task TASK.md`;

/** `reviewloop init`: writes a configuration to start from. */
export function initCommand(io: Io): Command {
  return new Command('init')
    .summary(`write a commented ${fileName}`)
    .description(
      `Writes a commented ${fileName} into this folder. It never overwrites a configuration.`,
    )
    .addHelpText('after', help)
    .action(async () => {
      for (const name of configFiles) {
        if (await isThere(join(io.cwd, name)))
          throw new ReviewLoopError(
            cliErrors.already_exists,
            `${name} is there already and was left as it is`,
            { value: name },
          );
      }
      await writeFileAtomic(join(io.cwd, fileName), configTemplate);
      await io.out(`written: ${fileName}\nnext: reviewloop review PATHS --task TASK.md\n`);
    });
}
