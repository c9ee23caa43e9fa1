/** Four methods that both `console` and pino have. */
export interface Logger {
  /** For debugging. */
  readonly debug: (fields: object, message: string) => void;
  /** What happens in the ordinary course. */
  readonly info: (fields: object, message: string) => void;
  /** What is odd and does not stop anything. */
  readonly warn: (fields: object, message: string) => void;
  /** What failed and lost nothing. */
  readonly error: (fields: object, message: string) => void;
}

const nothing = (): void => {};

/** Says nothing; the default. */
export const silentLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};
