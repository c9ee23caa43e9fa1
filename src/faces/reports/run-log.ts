import { redactJson } from '../../core/redact/redact-json.js';
import type { StoreFiles } from '../../node/store-file.js';
import { type Clock, systemClock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';

/**
 * JSON lines without secrets. A line that cannot be written is dropped, also if the file is a
 * symbolic link.
 */
export function runLog(
  files: Pick<StoreFiles, 'append'>,
  path: string,
  clock: Clock = systemClock,
): Logger {
  const writer =
    (level: string) =>
    (fields: object, message: string): void => {
      const line = JSON.stringify(
        redactJson({ at: new Date(clock.now()).toISOString(), level, ...fields, message }),
      );
      files.append(path, `${line}\n`);
    };
  return {
    debug: () => undefined,
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
  };
}
