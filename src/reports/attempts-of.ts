import type { JournalRecord } from '../ports/store.js';
import type { AttemptReport } from './run-report.js';

/** Returns the calls of a run that failed, from its journal. Work that waited for people did not. */
export function attemptsOf(records: readonly JournalRecord[]): AttemptReport[] {
  return records.flatMap((record) =>
    record.type === 'attempt' && record.code !== 'suspended'
      ? [
          {
            name: record.name,
            code: record.code,
            message: record.message,
            at: new Date(record.at).toISOString(),
          },
        ]
      : [],
  );
}
