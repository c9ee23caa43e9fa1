import { errorTable } from '../../core/error-table.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { CheckedData } from '../../core/text/schema-problems.js';

/** The errors of configuration files. */
export const configErrors = /* @__PURE__ */ errorTable({
  config_invalid: {
    kind: 'input',
    fix: 'Correct the configuration file at the line that the message names.',
  },
  config_unreadable: {
    kind: 'input',
    fix: 'Check the path in --config, and whether the file can be loaded.',
  },
});

/** Says at which lines a file does not have its form. */
export function misfit(
  { problems, cause }: Extract<CheckedData<unknown>, { success: false }>,
  { shown, value, locate, hint = () => '' }: MisfitFile,
): ReviewLoopError {
  const texts = problems.map(({ path, what }) => {
    const line = locate(path);
    return `${line === undefined ? shown : `${shown}:${line}`}: ${what}${hint(path)}`;
  });
  return new ReviewLoopError(configErrors.config_invalid, texts.join('; '), { cause, value });
}

/** The line of a key path; `undefined` if it is missing. */
export type Locate = (path: readonly PropertyKey[]) => number | undefined;

interface MisfitFile {
  readonly shown: string;
  readonly value: unknown;
  readonly locate: Locate;
  /** What is said behind a problem. @default nothing */
  readonly hint?: (path: readonly PropertyKey[]) => string;
}
