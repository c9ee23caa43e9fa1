import { criterionOf } from '@/blocks/reviewers/criterion.js';
import {
  definePipeline,
  limiter,
  type Outcome,
  type PipelineOptions,
  type Reviewer,
} from '@/index.js';

/** An output that a law can look at. */
export interface Draft {
  readonly text: string;
}

/** What a law hands to a system under test. */
export interface Scenario {
  readonly produce: () => Promise<Draft>;
  readonly address?: (
    draft: Draft,
    gaps: readonly { readonly id: string; readonly description: string }[],
  ) => Promise<Draft>;
  /** Judges by id; `tier` and `scope` where the law needs them. */
  readonly judges: Readonly<Record<string, Judge>>;
  readonly iterations?: number;
  readonly retries?: number;
}

/** One judge: its check, and what the law needs besides. */
export interface Judge {
  readonly check: (draft: Draft, task: string) => unknown;
  readonly tier?: 'code' | 'model' | 'confirm';
  readonly severity?: 'critical' | 'major' | 'minor';
  readonly scope?: (draft: Draft) => unknown;
}

/** What a law sees of a run. */
export interface Seen {
  readonly approved: boolean;
  readonly status: string;
  readonly code: string;
  readonly output: Draft | undefined;
  readonly reviews: readonly {
    readonly gaps: readonly {
      readonly id: string;
      readonly description: string;
      readonly lifecycle?: string | undefined;
    }[];
  }[];
}

/** Anything that can run a scenario: the engine, or a saboteur. */
export type System = (scenario: Scenario) => Promise<Seen>;

/** The reviewers of a scenario, as the engine takes them. */
function reviewersOf(judges: Scenario['judges']): Reviewer<string, Draft>[] {
  return Object.entries(judges).map(([id, { check, ...options }]) =>
    criterionOf<Draft, string>(id, (draft, task) => check(draft, task) as boolean, options),
  );
}

/** The engine itself. */
export const engine: System = async (scenario) => {
  const options: PipelineOptions<string, Draft> = {
    produce: scenario.produce,
    reviewers: reviewersOf(scenario.judges),
    budget: { reviews: scenario.iterations ?? 3 },
    retries: scenario.retries ?? 1,
    limiter: limiter({ concurrency: 4 }),
    ...(scenario.address && { address: scenario.address }),
  };
  const outcome: Outcome<Draft> = await definePipeline(options).run('task');
  return outcome;
};
