/** What commander makes of the options. */
export interface CalibrateCommandOptions {
  readonly judge?: string;
  readonly labels?: string;
  readonly exportLabels?: string;
  readonly config?: string | boolean;
  readonly provider?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly repetitions: number;
  readonly minTnr?: number;
  readonly minTpr?: number;
  readonly format: 'text' | 'json';
  readonly store: string;
}
