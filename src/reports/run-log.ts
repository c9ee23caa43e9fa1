import { closeSync, openSync, writeSync } from 'node:fs';
import { appendFlags, privateMode } from '../node/durable.js';
import { appendToMount, mountOf } from '../node/mounted-folder.js';
import { type Clock, systemClock } from '../ports/clock.js';
import type { Logger } from '../ports/logger.js';
import { redactJson } from '../redact/redact-json.js';

/**
 * Creates a log in a file, as JSON lines without secrets. A line that cannot be written is dropped,
 * also if the file is a symbolic link.
 */
export function runLog(file: string, clock: Clock = systemClock): Logger {
  const writer =
    (level: string) =>
    (fields: object, message: string): void => {
      const line = JSON.stringify(
        redactJson({ at: new Date(clock.now()).toISOString(), level, ...fields, message }),
      );
      const mount = mountOf(file);
      if (mount !== undefined) {
        appendToMount(mount, `${line}\n`);
        return;
      }
      try {
        const handle = openSync(file, appendFlags, privateMode);
        writeSync(handle, `${line}\n`);
        closeSync(handle);
      } catch {
        // a full disk must not end a review
      }
    };
  return {
    debug: () => undefined,
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
  };
}
