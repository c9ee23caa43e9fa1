import type { ProviderChoice } from '../../cli-kit/inputs/review-settings.js';
import type { StageRequest } from './stage-request.js';

/** Everything that a review of a diff is told by its options. */
export interface StageSettings {
  readonly diff:
    | { readonly kind: 'range'; readonly range: string }
    | { readonly kind: 'staged' }
    | { readonly kind: 'working-tree'; readonly base: string | undefined };
  readonly paths: string[];
  readonly task: string | undefined;
  readonly taskText: string | undefined;
  /** Files with what was planned, done, and verified by others. */
  readonly plan: string | undefined;
  readonly results: string | undefined;
  readonly verification: string | undefined;
  readonly verify: readonly string[];
  readonly session: string | undefined;
  readonly config: string | false | undefined;
  readonly provider: ProviderChoice | undefined;
  readonly humanReview: StageRequest['humanReview'];
  readonly allowTruncated: readonly string[];
  readonly again: boolean;
  readonly format: 'text' | 'json';
  readonly quiet: boolean;
  readonly maxFileSize: number;
  /** The folder that keeps runs. */
  readonly store: string;
}
