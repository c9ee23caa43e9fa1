import type { JudgesCalibration, RiskModel } from '../../src/calibration/index.js';
import type { Regime } from '../trust/simulation.mjs';

/** What the measurement needs of the library. */
type Library = typeof import('../../src/index.js') & typeof import('../../src/calibration/index.js');
export interface RiskFound {
  readonly runs: number;
  readonly approved: number;
  readonly asked: number;
  /** The share of the approvals that is wrong. */
  readonly wrong: number;
  /** The share that was predicted to be. */
  readonly predicted: number;
}
export function wrongShare(seed?: number, count?: number): number;
export function trueModel(regime: Regime): RiskModel;
export function measuredJudges(lib: Library, options: { readonly regime: Regime; readonly examples: number; readonly seed?: number; readonly resamples?: number }): Promise<JudgesCalibration>;
export function riskCell(lib: Library, options: { readonly regime: Regime; readonly runs: number; readonly model: RiskModel; readonly budget?: number; readonly trust?: 'fast' | 'guarded' | 'autonomous'; readonly seed?: number }): Promise<RiskFound>;
