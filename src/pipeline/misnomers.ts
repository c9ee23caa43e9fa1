import { ReviewLoopError } from '../core/errors.js';
import { checkPlain } from '../core/options.js';

/** The type of an option that has another name here: the compiler shows the option to use. */
export interface Use<Option extends string> {
  readonly use: Option;
}

/** Names that other libraries have for options, refused with the name here. */
export interface Misnomers {
  /** @deprecated Use `budget.reviews`. */
  maxIterations?: Use<'budget.reviews'>;
  /** @deprecated Use `retries`. */
  maxRetries?: Use<'retries'>;
  /** @deprecated Use `policy: thresholds({ ... })`. */
  threshold?: Use<'policy: thresholds({ quality })'>;
  /** @deprecated Use `reviewers`. */
  reviewer?: Use<'reviewers'>;
  /** @deprecated Use `criteria` or `reviewers`. */
  evaluate?: Use<'criteria or reviewers'>;
  /** @deprecated Use `produce`. */
  generate?: Use<'produce'>;
  /** @deprecated Use `address`. */
  revise?: Use<'address'>;
}

const instead: { readonly [Name in keyof Misnomers]-?: NonNullable<Misnomers[Name]>['use'] } = {
  maxIterations: 'budget.reviews',
  maxRetries: 'retries',
  threshold: 'policy: thresholds({ quality })',
  reviewer: 'reviewers',
  evaluate: 'criteria or reviewers',
  generate: 'produce',
  revise: 'address',
};

/** @throws ReviewLoopError `invalid_options` for a name of {@link Misnomers} */
export function checkMisnomers(options: object): void {
  checkPlain('definePipeline', options);
  for (const [name, use] of Object.entries(instead))
    if (Object.hasOwn(options, name))
      throw new ReviewLoopError(
        'invalid_options',
        `definePipeline has no option \`${name}\`; use \`${use}\``,
        { value: name },
      );
}
