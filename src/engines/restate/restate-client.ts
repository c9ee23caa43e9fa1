import { checkKeys, invalid } from '../../core/options.js';
import type { Store } from '../../ports/store.js';
import { clientOver, type EngineClient } from '../client.js';
import { objectOf } from './restate-api.js';

export interface RestateClientOptions {
  /** The store that the workers use. */
  readonly store: Store;
  /** The begin of the names of the objects. @default 'reviewloop' */
  readonly name?: string | undefined;
  /** Further headers, for example `authorization`. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sends a request. @default the `fetch` of the platform */
  readonly fetch?: typeof fetch | undefined;
}

/** A client that also starts the sweep. */
export interface RestateClient extends EngineClient {
  /** Starts the sweep, which then repeats itself. Starting it again changes nothing for a day. */
  readonly startSweep: () => Promise<void>;
}

/**
 * Creates a client that starts, answers and cancels runs from any process, over HTTP. It needs
 * neither the SDK nor code of the pipelines.
 *
 * @param ingress - The address of Restate's ingress.
 * @example
 * ```ts
 * const client = restateClient('http://127.0.0.1:8080', { store });
 * await client.startSweep();
 * await client.start('article', 'tea', { runId: 'tea-1' });
 * ```
 */
export function restateClient(ingress: string, options: RestateClientOptions): RestateClient {
  checkKeys('restateClient', options, ['store', 'name', 'headers', 'fetch']);
  const { store, name = 'reviewloop', headers = {}, fetch: send = fetch } = options;
  if (!URL.canParse(ingress)) throw invalid('ingress', 'the address of an ingress', ingress);
  const post = async (path: string, key?: string, body: object = {}): Promise<void> => {
    const once = key !== undefined && { 'idempotency-key': key };
    const response = await send(`${ingress.replace(/\/$/, '')}/${path}/send`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', ...once },
      body: JSON.stringify(body),
    });
    if (response.ok) return;
    throw new Error(
      `Restate answered ${response.status}: ${(await response.text()).slice(0, 300)}`,
    );
  };
  const handler = (runId: string, pipeline: string, method: string): string =>
    `${objectOf(name, pipeline)}/${encodeURIComponent(runId)}/${method}`;
  const over = clientOver(store, ({ runId, pipeline, why, again = false }) =>
    post(handler(runId, pipeline, 'wake'), `${runId}/${why}`, { again }),
  );
  return {
    ...over,
    cancel: async (runId, options) => {
      const header = (await store.read(runId))?.[0];
      // a worker that drives the run records the end itself; a run that waits needs no engine
      if (header?.type === 'run')
        await post(handler(runId, header.pipeline, 'cancel')).catch(() => {});
      return over.cancel(runId, options);
    },
    startSweep: () => post(`${name}-sweep/all/sweep`, 'sweep'),
  };
}
