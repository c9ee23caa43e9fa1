/** The words of a file at their places: all else is blank, so offsets stay. */
export interface Prose {
  readonly file: string;
  readonly source: string;
  readonly text: string;
}
