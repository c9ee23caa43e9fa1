import { appendFileSync } from 'node:fs';
import { type Clock, systemClock } from '../ports/clock.js';
import type { Logger } from '../ports/logger.js';
import { redactJson } from '../redact/redact-json.js';

/**
 * Creates a log in a file, as JSON lines without secrets. A line that cannot be written is dropped.
 */
export function runLog(file: string, clock: Clock = systemClock): Logger {
  const writer =
    (level: string) =>
    (fields: object, message: string): void => {
      const line = JSON.stringify(
        redactJson({ at: new Date(clock.now()).toISOString(), level, ...fields, message }),
      );
      try {
        appendFileSync(file, `${line}\n`, { mode: 0o600 });
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
