/** A logger, such as a pino logger. */
export interface Logger {
  /** For debugging. */
  readonly debug: (fields: object, message: string) => void;
  /** Normal progress. */
  readonly info: (fields: object, message: string) => void;
  /** Something unexpected that stops nothing. */
  readonly warn: (fields: object, message: string) => void;
  /** A failure after which the run continues. */
  readonly error: (fields: object, message: string) => void;
}

const nothing = (): void => {};

export const silentLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};
