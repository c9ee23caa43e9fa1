/** A piece of a text that stands for itself; lines are 1-based. */
export type Block =
  | {
      readonly kind: 'heading';
      readonly level: number;
      readonly text: string;
      readonly line: number;
    }
  | Paragraph
  | Item
  | Table
  /** `language` is undefined for text that is code only because it is indented. */
  | {
      readonly kind: 'code';
      readonly line: number;
      readonly lines: readonly string[];
      readonly language: string | undefined;
    };

/** Running text; `indent` is the depth of the list that holds it, -1 outside of lists. */
export interface Paragraph {
  readonly kind: 'paragraph';
  readonly line: number;
  readonly lines: readonly string[];
  readonly indent: number;
}

/** What stands right of the sign of a list item. */
export interface Item {
  readonly kind: 'item';
  readonly line: number;
  readonly lines: readonly string[];
  readonly indent: number;
  readonly form: 'bullet' | 'numbered' | 'task';
  readonly checked: boolean | undefined;
}

/** A table; `header` is undefined where no line under the first row says that it is one. */
export interface Table {
  readonly kind: 'table';
  readonly line: number;
  readonly header: readonly string[] | undefined;
  readonly rows: readonly TableRow[];
}

/** One row of a {@link Table}. */
export interface TableRow {
  readonly line: number;
  readonly cells: readonly string[];
}
