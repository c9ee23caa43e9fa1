// Everything that tests need of the simulation.
export { calibrationPoints, oracle } from './calibration-points.mjs';
export { checks } from './checks.mjs';
export { seeds } from './jobs.mjs';
export { noisyJudge } from './judge.mjs';
export { headTable, tables } from './markdown.mjs';
export { above, cell, figures, pairedAbove } from './measure.mjs';
export { cellsIn, measuredFile } from './measured.mjs';
export { picture } from './picture.mjs';
export { judged } from './plain-loops.mjs';
export { regimes } from './regimes.mjs';
export { strongerThan } from './stronger.mjs';
export { worldOf } from './task-world.mjs';
export { blocking, draft, faults, itemsOf, read } from './world.mjs';
