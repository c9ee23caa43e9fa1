import { loadPeer, mayBeAbsent } from '../../../core/load-peer.js';

export interface Langgraph {
  readonly interrupt: (value: unknown) => unknown;
  readonly Command: new (given: { readonly resume: unknown }) => object;
  readonly isInterrupted: (value: unknown) => value is {
    readonly __interrupt__: readonly { readonly id?: string; readonly value?: unknown }[];
  };
}

export function importLanggraph(): Promise<Langgraph> {
  return loadPeer(peer, () => import('@langchain/langgraph' as string).catch(mayBeAbsent));
}

export interface LangchainSingletons {
  readonly AsyncLocalStorageProviderSingleton: {
    getRunnableConfig(): { readonly callbacks?: unknown } | undefined;
    runWithConfig<Value>(config: unknown, callback: () => Value, isRoot: boolean): Value;
  };
}

/** They know which graph a call is made in. */
export function importSingletons(): Promise<LangchainSingletons> {
  return loadPeer(peer, () => import('@langchain/core/singletons' as string).catch(mayBeAbsent));
}

export const peer = {
  feature: 'reviewloop/langgraph',
  packages: ['@langchain/langgraph', '@langchain/core'],
};
