/** What was measured last, as in results.json. */
export interface PeerResults {
  readonly date: string;
  readonly node: string;
  readonly nodeAloneMb: number;
  readonly loops: readonly {
    readonly name: string;
    readonly versions: Readonly<Record<string, string>>;
    readonly lines: number;
    readonly paid: number;
  }[];
}

export declare function table(results: PeerResults): string;
export declare function withTable(page: string, results: PeerResults): string;
