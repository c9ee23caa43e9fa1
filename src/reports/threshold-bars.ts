import { defaultThresholds, type ThresholdOptions } from '../policies/thresholds.js';
import type { ScoreBar } from './run-report.js';

export function thresholdBars(options: ThresholdOptions = {}): ScoreBar[] {
  const { quality, completeness } = options;
  return [
    { score: 'overall', at: quality ?? defaultThresholds.quality },
    { score: 'completeness', at: completeness ?? defaultThresholds.completeness },
  ];
}
