import type { ProviderFlags } from '../../cli-kit/provider/provider-options.js';

/** What commander makes of the options. */
export interface CalibrateCommandOptions extends ProviderFlags {
  readonly judge?: string;
  readonly labels?: string;
  readonly exportLabels?: string;
  readonly config?: string | boolean;
  readonly repetitions: number;
  readonly minTnr?: number;
  readonly minTpr?: number;
  readonly format: 'text' | 'json';
  readonly store: string;
}
