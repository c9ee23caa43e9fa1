/** A character with its style; the second half of a wide one is ''. */
export interface Cell {
  readonly text: string;
  readonly style: string;
}
/** What a terminal shows. */
export interface TerminalCells {
  readonly rows: readonly (readonly Cell[])[];
  readonly lines: readonly string[];
  readonly isCursorShown: boolean;
  readonly row: number;
  readonly column: number;
}
/** Plays a recording on a terminal of so many columns. */
export function playTerminal(recording: string, columns: number): TerminalCells;
