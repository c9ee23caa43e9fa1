import type { Fault } from '../support/checklist-judge.js';
import { newRepository, type Repository } from '../support/git-repository.js';

/** What was asked of the work in these tests. */
const task =
  'Add email validation: `isEmail(text)` tells whether a text is an address. Null is no address.\n';

export const goodCode = `/** Whether a text is an address. */
export function isEmail(text) {
  if (typeof text !== 'string') return false;
  return text.split('@').length === 2;
}
`;

/** Without a check for null, without a word of documentation, and with a secret. */
export const poorCode = `export function isEmail(text) {
  return text.split('@').length === 2;
}
`;

/** What a judge that reads finds in the poor code, and not in the good one. */
export const faults: readonly Fault[] = [
  {
    question: /error|fail/i,
    found: /export function isEmail\(text\) \{\s+return/,
    reason: 'Missing error handling for null input',
    severity: 'major',
    suggestedFix: 'Return false for what is no text',
  },
  {
    question: /document/i,
    found: /(?<!\*\/\n)export function isEmail/,
    reason: 'No documentation on public methods',
    severity: 'major',
    suggestedFix: 'Add JSDoc comments',
  },
];

/** A repository with a neighbour, and with work that is not committed. */
export function repositoryWith(code: string): Repository {
  const repository = newRepository();
  repository.write(
    'src/phone.js',
    '/** Whether a text is a number. */\nexport function isPhone(text) {\n  return /^\\d+$/.test(text);\n}\n',
  );
  repository.write('TASK.md', task);
  repository.commit('the beginning');
  repository.write('src/email.js', code);
  return repository;
}
