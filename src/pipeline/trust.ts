/**
 * How far a pipeline trusts its verdicts: presets, and the parts that they are made of.
 *
 * @module
 */
export {
  type Address,
  type GuardedAddress,
  type OnlyAskedOptions,
  onlyAsked,
} from '../address/only-asked.js';
export { inTurn } from '../reviewers/in-turn.js';
export type { InTurnOptions, Passes } from '../reviewers/in-turn-options.js';
export {
  autonomous,
  fast,
  guarded,
  type TieredReviewers,
  type Trust,
  type TrustPorts,
  trustPresets,
} from './trust-presets.js';
