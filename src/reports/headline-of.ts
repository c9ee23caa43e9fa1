import type { RunReport } from './run-report.js';

/** Returns the verdict in one line. */
export function headlineOf({ approved, status, reason }: RunReport): string {
  return `${approved ? 'APPROVED' : status.toUpperCase()}: ${reason}`;
}
