/** An item with four texts, of which the first is right, and what each judge graded them. */
export interface RecordedItem {
  readonly id: string;
  readonly subset: string;
  readonly grades: Readonly<Record<string, readonly (readonly number[])[]>>;
}
export interface RecordedGate {
  readonly calls: number;
  readonly right: number;
  readonly wrong: number;
}
export declare function usableItems(file?: string): readonly RecordedItem[];
export declare function gateOf(
  items: readonly RecordedItem[],
  gate: string,
  options: { readonly bar: number; readonly prior?: number },
): RecordedGate;
export declare function staleTables(
  root: string,
  items: readonly RecordedItem[],
  read: (path: string, encoding: 'utf8') => string,
): readonly { readonly page: string; readonly text: string; readonly tables: readonly string[] }[];
