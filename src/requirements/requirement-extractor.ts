import type { LLMProvider } from '../core/llm-provider.js';
import { checkKeys } from '../core/options.js';
import { dedupeRequirements } from './dedupe.js';
import { explicitRequirements } from './explicit-requirements.js';
import type { Requirement } from './requirement.js';
import { combineStrategies, type RequirementStrategy, type StrategyContext } from './strategy.js';
import { acceptanceCriteriaOf, type TaskSource, taskTextOf } from './task-text.js';

/** How requirements are found. */
export interface RequirementExtractorOptions {
  /** What finds them; several are combined. @default `explicitRequirements` */
  readonly strategy?:
    | RequirementStrategy
    | readonly [RequirementStrategy, ...RequirementStrategy[]]
    | undefined;
}

/**
 * Reads requirements from a text, or from a request and its acceptance criteria.
 *
 * @example
 * ```ts
 * const requirements = await new RequirementExtractor().extract('- The page must load within 2 s');
 * ```
 */
export class RequirementExtractor {
  readonly #strategy: RequirementStrategy;

  /** @throws ReviewLoopError `invalid_options` */
  constructor(options: RequirementExtractorOptions = {}) {
    checkKeys('RequirementExtractor', options, ['strategy']);
    const { strategy = explicitRequirements } = options;
    this.#strategy = typeof strategy === 'function' ? strategy : combineStrategies(...strategy);
  }

  /** Whether it makes steps of its own, as one does that asks a model. */
  get makesSteps(): boolean {
    return this.#strategy.makesSteps === true;
  }

  /** The same with a provider; present only while its strategy needs one. */
  get withProvider(): ((provider: LLMProvider) => RequirementExtractor) | undefined {
    const { withProvider } = this.#strategy;
    return (
      withProvider && ((provider) => new RequirementExtractor({ strategy: withProvider(provider) }))
    );
  }

  /**
   * The requirements in the order of the text, acceptance criteria last; an empty list for a task without text.
   *
   * @param context - Where a strategy makes calls that cost. @default they are made bare
   */
  async extract(source: string | TaskSource, context?: StrategyContext): Promise<Requirement[]> {
    const text = taskTextOf(source);
    const found = text === '' ? [] : await this.#strategy(text, context);
    const criteria = acceptanceCriteriaOf(source).map((criterion, index): Requirement => {
      return {
        text: criterion,
        source: 'explicit',
        kind: 'acceptance_criterion',
        strength: 'MUST',
        line: index + 1,
        endLine: index + 1,
        section: ['acceptanceCriteria'],
      };
    });
    return dedupeRequirements([...found, ...criteria]);
  }
}
