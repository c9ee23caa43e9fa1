// Everything that tests need of the simulation.
export { presetCells } from './contenders.mjs';
export { editsTable, measuredFile } from './edits.mjs';
export { noisyJudge } from './judge.mjs';
export { above, cell, figures, pairedAbove } from './measure.mjs';
export { judged } from './plain-loops.mjs';
export { regimes } from './regimes.mjs';
export { worldOf } from './task-world.mjs';
export { draft, faults, itemsOf, read } from './world.mjs';
