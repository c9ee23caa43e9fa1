export const reportFormats = [
  'html',
  'sarif',
  'junit',
  'gitlab',
  'rdjson',
  'rdjsonl',
  'markdown',
] as const;

export type ReportFormat = (typeof reportFormats)[number];

export function reportFormat(name: string): ReportFormat | undefined {
  return reportFormats.find((format) => format === name);
}

export interface ReportTarget {
  readonly format: ReportFormat;
  /** The absolute path. */
  readonly file: string;
}

export interface ReportTargets {
  readonly files: readonly ReportTarget[];
  /** Whether the run is shown as annotations and job summary of GitHub: also unasked, or not. */
  readonly github: 'asked' | 'auto' | 'none';
}
