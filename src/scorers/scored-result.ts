/**
 * One result of a scorer: that of autoevals (`name`, `score`, `metadata.rationale`, `error`), of openevals (`key`,
 * `score`, `comment`) or of Mastra (`score`, `reason`, `notScorable`).
 */
export interface ScoredResult {
  /** From 0 to 1; true is 1, false is 0. `null` abstains. */
  readonly score?: number | boolean | null | undefined;
  /** Names the criterion in a list of results. @default `name` */
  readonly key?: string | undefined;
  /** Names the criterion in a list of results, if it has no `key`. */
  readonly name?: string | undefined;
  /** Why. */
  readonly comment?: string | undefined;
  /** Why, if there is no `comment`. */
  readonly reason?: unknown;
  /** `rationale` says why, if there is neither `comment` nor `reason`. */
  readonly metadata?: object | undefined;
  /** What went wrong; a result with an error is never a score. */
  readonly error?: unknown;
  /** The output contains nothing that this scorer judges. */
  readonly notScorable?: { readonly reason?: string | undefined } | undefined;
}

/** What a scorer may return: a result, a bare score, or a list of results. */
export type ScorerAnswer = number | boolean | null | ScoredResult | readonly ScoredResult[];

export type ScorerFunction<Args> = (args: Args) => ScorerAnswer | PromiseLike<ScorerAnswer>;

export interface RunnableScorer<Args> {
  /** Scores one case. */
  run(args: Args): ScorerAnswer | PromiseLike<ScorerAnswer>;
}

export type Scorer<Args> = ScorerFunction<Args> | RunnableScorer<Args>;
