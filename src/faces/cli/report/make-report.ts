import { relative, resolve } from 'node:path';
import { ReviewLoopError } from '../../../core/errors.js';
import { plural } from '../../../core/plural.js';
import { engineErrors } from '../../../engine/errors.js';
import { usageError } from '../../cli-kit/errors.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { findReviewed } from '../../cli-kit/reports/find-stored.js';
import { checkTargets } from '../../cli-kit/reports/report-flag.js';
import { reportFormats } from '../../cli-kit/reports/report-formats.js';
import { writeReports } from '../../cli-kit/reports/write-reports.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { listRuns } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import type { reportFlags } from './report-flags.js';

type ReportSettings = SettingsOf<typeof reportFlags>;

export async function makeReport(
  { io, store }: StoredCall,
  settings: ReportSettings,
): Promise<number> {
  const files = reportFormats.flatMap((format) => {
    const file = settings[format];
    return file === undefined ? [] : [{ format, file: resolve(io.cwd, file) }];
  });
  const { github, content } = settings;
  if (files.length === 0 && !github)
    throw usageError(
      `name a report to write: ${reportFormats.map((format) => `--${format} FILE`).join(', ')} or --github`,
    );
  await checkTargets(files);
  const reports = await chosenRuns(store, settings);
  await writeReports(
    io,
    { files, github: github ? 'asked' : 'none' },
    { reports, store, cwd: io.cwd, content },
  );
  const names = files.map(({ file }) => relative(io.cwd, file) || file);
  if (!settings.quiet && names.length > 0)
    await io.out(`${plural(reports.length, 'run')} in ${names.join(', ')}\n`);
  return 0;
}

async function chosenRuns(store: StoreHandle, { ids, all }: ReportSettings): Promise<RunReport[]> {
  if (all && ids.length > 0) throw usageError('name runs, or use --all, not both');
  if (ids.length > 0) {
    const found = await Promise.all(ids.map((id) => findReviewed(store, id)));
    return [...new Map(found.map((report) => [report.runId, report])).values()];
  }
  const stored = (await listRuns(store.files)).flatMap((run) =>
    run.kind === 'report' ? [run.report] : [],
  );
  if (stored.length === 0)
    throw new ReviewLoopError(
      engineErrors.run_unknown,
      `${store.files.name} contains no finished run of a command; review something first, or name another --store`,
      { value: store.files.name },
    );
  return all ? stored : stored.slice(0, 1);
}
