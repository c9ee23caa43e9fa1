import { type KnownError, messageOf, ReviewLoopError } from '../core/errors.js';
import { engineErrors } from './errors.js';

export interface UserErrors {
  readonly what: 'produce' | 'address';
  readonly failed: KnownError;
  readonly invalid: KnownError;
}

export const produceErrors: UserErrors = {
  what: 'produce',
  failed: engineErrors.produce_failed,
  invalid: engineErrors.produce_invalid,
};

export function userError(error: unknown, { what, failed, invalid }: UserErrors): ReviewLoopError {
  if (error instanceof ReviewLoopError) {
    if (error.code === 'step_invalid' || error.code === 'not_json')
      return new ReviewLoopError(invalid, `${what} returned an invalid output: ${error.what}`, {
        cause: error,
        value: error.value,
      });
    return error;
  }
  return new ReviewLoopError(failed, `${what} threw: ${messageOf(error)}`, { cause: error });
}
