import { ReviewLoopError } from '../../core/errors.js';

/** What to do, by the code of an error, in words of the command line. */
const fixes: Readonly<Record<string, string>> = {
  path_outside: 'Move the files into the folder of --root, or name another --root.',
  gate_attempts_used:
    'A person decides: begin another session, or run `reviewloop mcp` with more --max-attempts.',
};

/** Returns an error with a fix that names options of the command line, not of the library. */
export function commandLineHint(error: unknown): unknown {
  if (!(error instanceof ReviewLoopError)) return error;
  // a fix that names the step was put in before
  if (error.cause instanceof ReviewLoopError && error.cause.code === error.code) return error;
  const fix = fixes[error.code];
  if (fix === undefined) return error;
  const { code, kind, value } = error;
  return new ReviewLoopError({ code, kind, fix }, error.what, { cause: error, value });
}
