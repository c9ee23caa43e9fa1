/** A handler of an object. */
export type RestateHandler = (
  context: RestateContext,
  input: WakeInput | undefined,
) => Promise<unknown>;

/** A handler as the SDK returns it; only the SDK calls it. */
export type MadeHandler = (context: never, input: never) => Promise<unknown>;

export interface RestateSerde {
  /** Writes a value. */
  serialize(value: unknown): Uint8Array;
  /** Reads a value. */
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
  /** Cancels an invocation. */
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
  /** Waits. */
  sleep(ms: number): PromiseLike<unknown>;
  /** Returns what was asked for, with the id of this invocation. */
  request(): { readonly id: string };
  /** Sets a value of the object of this key. */
  set(name: string, value: unknown): void;
  /** Removes a value of the object of this key. */
  clear(name: string): void;
  /** Sends a message to a handler. */
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
  /** Makes an object with its handlers. */
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

/** Returns the name of the object of a pipeline: a worker serves those that it has code for. */
export function objectOf(prefix: string, pipeline: string): string {
  return `${prefix}.${pipeline}`.replace(/[^\w.-]/g, '_');
}

export interface WakeInput {
  readonly again?: boolean | undefined;
}
