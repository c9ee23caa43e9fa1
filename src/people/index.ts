/**
 * People at a terminal, and text without control characters. Node only.
 *
 * @module
 */

export { oneLine, sanitise } from '../terminal/sanitise.js';
export type { Mode, TerminalStreams } from './prompts.js';
export { type TerminalPersonOptions, terminalPerson } from './terminal-person.js';
