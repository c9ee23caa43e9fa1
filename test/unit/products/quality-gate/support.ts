import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An answer of a reviewer about one criterion. */
export const answerOf = (
  passed: boolean,
  feedback = passed ? 'good' : 'thin',
  of = 'Complete',
) => ({
  passed,
  feedback,
  criteria_results: [{ criterion: of, passed, feedback: null }],
});

/** The token that the instructions for a reviewer give. */
export const tokenIn = (root: string, path: string | null): string =>
  /^- token: (\S+)$/m.exec(readFileSync(join(root, path ?? ''), 'utf8'))?.[1] ?? '';
