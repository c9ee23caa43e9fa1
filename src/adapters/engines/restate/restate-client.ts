import { checkKeys, invalid } from '../../../core/options.js';
import type { Store } from '../../../ports/store.js';
import { clientOver, type EngineClient } from '../client.js';

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

/** A handler of an object. */
export type RestateHandler = (
  context: RestateContext,
  input: WakeInput | undefined,
) => Promise<unknown>;

/** A handler as the SDK returns it; only the SDK calls it. */
export type MadeHandler = (context: never, input: never) => Promise<unknown>;

export interface RestateSerde {
  serialize(value: unknown): Uint8Array;
  deserialize(data: Uint8Array): unknown;
}

export interface RestateSend {
  service: string;
  method: string;
  key: string;
  parameter: unknown;
  inputSerde: RestateSerde;
  delay?: number;
  idempotencyKey?: string;
}

export interface RestateSharedContext {
  /** Returns a value that the object of this key has, or `null`. */
  get(name: string): PromiseLike<unknown>;
  cancel(invocationId: string): void;
}

export interface RestateContext {
  readonly key: string;
  readonly date: {
    /** Returns the time in milliseconds since 1970, recorded. */
    now(): PromiseLike<number>;
  };
  /** Does a step, and records its result. */
  run<Value>(
    name: string,
    work: () => Promise<Value>,
    options?: { initialRetryInterval?: number; maxRetryInterval?: number },
  ): PromiseLike<Value>;
  sleep(ms: number): PromiseLike<unknown>;
  /** Returns what was asked for, with the id of this invocation. */
  request(): { readonly id: string };
  set(name: string, value: unknown): void;
  clear(name: string): void;
  genericSend(send: RestateSend): unknown;
}

export interface RestateHandlerOptions {
  inactivityTimeout?: number;
  abortTimeout?: number;
  journalRetention?: number;
  retryPolicy?: { initialInterval?: number; maxInterval?: number };
}

/**
 * What {@link restateServices} calls on `@restatedev/restate-sdk`. `Service` is the type of its
 * services.
 */
export interface RestateApi<Service> {
  object(definition: { name: string; handlers: Record<string, MadeHandler> }): Service;
  readonly handlers: {
    readonly object: {
      /** Makes a handler that runs once at a time for each key. */
      exclusive(options: RestateHandlerOptions, work: RestateHandler): MadeHandler;
      /** Makes a handler that runs beside the other ones of its key. */
      shared(
        options: RestateHandlerOptions,
        work: (context: RestateSharedContext) => Promise<unknown>,
      ): MadeHandler;
    };
  };
  readonly serde: { readonly json: RestateSerde };
}

/** A worker serves the objects of the pipelines that it has code for. */
export function objectOf(prefix: string, pipeline: string): string {
  return `${prefix}.${pipeline}`.replace(/[^\w.-]/g, '_');
}

export interface WakeInput {
  readonly again?: boolean | undefined;
}
