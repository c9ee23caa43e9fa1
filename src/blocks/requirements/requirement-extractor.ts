import type { LLMProvider } from '../../core/llm-provider.js';
import { checkKeys } from '../../core/options.js';
import { dedupeRequirements } from './dedupe.js';
import { explicitRequirements } from './explicit-requirements.js';
import type { Requirement } from './requirement.js';
import { combineStrategies, type RequirementStrategy, type StrategyContext } from './strategy.js';
import { acceptanceCriteriaOf, type TaskSource, taskTextOf, wholeTask } from './task-text.js';

export interface RequirementExtractorOptions {
  /**
   * The function that finds requirements, or several functions to combine.
   *
   * @default `explicitRequirements`
   */
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

  /** Whether the strategy records its own steps. A strategy with a model does. */
  get makesSteps(): boolean {
    return this.#strategy.makesSteps === true;
  }

  /** Returns the same extractor with a provider. Present only if the strategy needs a provider. */
  get withProvider(): ((provider: LLMProvider) => RequirementExtractor) | undefined {
    const { withProvider } = this.#strategy;
    return (
      withProvider && ((provider) => new RequirementExtractor({ strategy: withProvider(provider) }))
    );
  }

  /**
   * Returns the requirements in the order of the text, acceptance criteria last. If there are none,
   * it returns one of kind `whole`: the task as a whole. The list is empty for a task without text.
   *
   * @param context - Records and limits the calls of a strategy. @default none: calls are not
   *   recorded
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
    const all = dedupeRequirements([...found, ...criteria]);
    return all.length === 0 ? wholeTask(text) : all;
  }
}
