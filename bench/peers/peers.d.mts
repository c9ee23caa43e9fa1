/** A loop that is compared. */
export interface PeerLoop {
  readonly name: string;
  readonly file: string;
  readonly set?: string;
  readonly shown: readonly string[];
  readonly keepsRuns?: boolean;
  readonly runsLoops?: boolean;
  readonly pages?: readonly string[];
}

export declare const sets: Readonly<Record<string, Readonly<Record<string, string>>>>;
export declare const loops: readonly PeerLoop[];
