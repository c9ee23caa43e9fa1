import type { Dimension } from '../dimension.js';
import type { DimensionSettings } from './checklist-dimension.js';
import { CodeQualityDimension } from './code-quality.js';
import { CompletenessDimension } from './completeness.js';
import { ConsistencyDimension } from './consistency.js';
import { IntentAlignmentDimension } from './intent-alignment.js';
import { SafetyDimension } from './safety.js';

/** The five dimensions of seed 003, asked alike. */
export function defaultDimensions(settings: DimensionSettings = {}): readonly Dimension[] {
  return [
    IntentAlignmentDimension,
    CodeQualityDimension,
    CompletenessDimension,
    ConsistencyDimension,
    SafetyDimension,
  ].map((Each) => new Each(settings));
}
