/** The formats of reports that are files. */
export const reportFormats = [
  'html',
  'sarif',
  'junit',
  'gitlab',
  'rdjson',
  'rdjsonl',
  'markdown',
] as const;

/** A format of a report that is a file. */
export type ReportFormat = (typeof reportFormats)[number];

export function reportFormat(name: string): ReportFormat | undefined {
  return reportFormats.find((format) => format === name);
}

/** A report to write into a file. */
export interface ReportTarget {
  readonly format: ReportFormat;
  /** The absolute path. */
  readonly file: string;
}
