/** Four methods that both `console` and pino have. */
export interface Logger {
  readonly debug: (fields: object, message: string) => void;
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
}

const nothing = (): void => {};

/** Says nothing; the default. */
export const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
