import { ReviewLoopError } from '../core/errors.js';
import { engineErrors } from './errors.js';

/**
 * Returns the improved output.
 *
 * @throws ReviewLoopError `address_invalid` if its type differs from the previous one
 */
export function sameKind<Output>(before: Output, after: Output): Output {
  const kinds = [before, after].map((value) =>
    Array.isArray(value) ? 'an array' : value === null ? 'null' : typeof value,
  );
  if (kinds[0] === kinds[1]) return after;
  throw new ReviewLoopError(
    engineErrors.address_invalid,
    `expected ${kinds[0]}, like the previous output, got ${kinds[1]}`,
    { value: after },
  );
}
