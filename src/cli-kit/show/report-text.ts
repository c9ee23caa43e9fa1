import type { RunReport } from '../../reports/run-report.js';
import { paintFor } from '../../terminal/colours.js';
import type { Io } from '../io.js';
import { agentReport } from './agent-report.js';
import { type RenderOptions, renderReport } from './render-report.js';

/** Returns a run as text for the reader of the output. */
export function reportText(
  io: Pick<Io, 'reader' | 'outColumns' | 'colours'>,
  report: RunReport,
  { folder, show }: Pick<RenderOptions, 'folder' | 'show'>,
): string {
  return io.reader === 'agent'
    ? agentReport(report)
    : renderReport(report, {
        columns: io.outColumns,
        paint: paintFor(io.colours),
        folder,
        show,
      });
}
