// Everything that tests need of the simulation.
export { calibrationPoints, oracle } from './checks.mjs';
export { noisyJudge } from './judge.mjs';
export { above, cell, figures, pairedAbove } from './measure.mjs';
export { blocking, draft, faults, read, regimes } from './world.mjs';
