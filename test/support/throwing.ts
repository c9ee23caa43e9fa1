/** A function that throws: an error of these words, or the one that is given. */
export const throwing = (what: string | Error) => (): never => {
  throw typeof what === 'string' ? new Error(what) : what;
};
