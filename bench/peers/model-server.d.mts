export type Scenario = 'clean' | 'rules' | 'worse';

/** A fake model on loopback. */
export interface PeersModelServer {
  readonly url: string;
  readonly begin: (
    scenario: Scenario,
    options?: { readonly down?: string; readonly holding?: boolean },
  ) => void;
  readonly repair: () => void;
  readonly calls: () => {
    readonly paid: number;
    readonly refused: number;
    readonly all: readonly string[];
  };
  readonly close: () => void;
}

export declare const boundMs: number;
export declare function modelServer(latencies?: {
  readonly writeMs: number;
  readonly judgeMs: number;
}): Promise<PeersModelServer>;
