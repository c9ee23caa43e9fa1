import { RunPanel } from './run-panel.js';

// the second program of the page: the views of a run, for the first one
const { reviewloop } = globalThis;
if (reviewloop !== undefined) reviewloop.RunPanel = RunPanel;
