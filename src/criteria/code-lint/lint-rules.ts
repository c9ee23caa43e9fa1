import type { Linter } from 'eslint';
import type { GapCategory } from '../../core/gap.js';
import type { Severity } from '../../core/severity.js';

/** One kind of danger in code, and the rules of the linter that find it. */
export interface LintRule {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly severity: Severity;
  readonly category: GapCategory;
  readonly suggestedFix: string;
  /** Returns what a message of the linter says about this danger, if anything. */
  readonly tell: (message: LintMessage, all: readonly LintMessage[]) => string | undefined;
}

export type LintMessage = Pick<Linter.LintMessage, 'ruleId' | 'message' | 'line' | 'column'>;

const common = { severity: 'major', category: 'incorrect' } as const;
const isOf =
  (description: string, ...ids: readonly string[]): LintRule['tell'] =>
  ({ ruleId }) =>
    ids.includes(ruleId ?? '') ? description : undefined;

const words =
  'SELECT\\s[^]*\\sFROM|INSERT\\s+INTO|REPLACE\\s+INTO|UPDATE\\s+[\\w.`"]+\\s+SET|DELETE\\s+FROM';
const sql = `/^\\s*(?:${words}|${words.replaceAll(/[A-Z]{2,}/g, (word) => word.toLowerCase())})\\s/`;
const query =
  'CallExpression[callee.property.name=/^(?:query|execute|exec|raw|unsafe|prepare|run|all|get|each|[$](?:query|execute)RawUnsafe)$/]';

/** A value that is no constant by its name. */
const unknown =
  ':not(Identifier[name=/^[A-Z][A-Z0-9_]*$/], Literal, TemplateElement, BinaryExpression)';

/** Places that ESLint finds by the shape of the syntax tree, with the danger in the message. */
const shapes: readonly { readonly selector: string; readonly message: string }[] = [
  {
    selector: `${query} > TemplateLiteral.arguments[expressions.length>0][quasis.0.value.raw=${sql}]:has(> :matches(${unknown}).expressions)`,
    message: 'sql',
  },
  {
    selector: `${query} > BinaryExpression.arguments[operator="+"]:has(${unknown}):has(Literal[value=${sql}])`,
    message: 'sql',
  },
  { selector: 'CatchClause > BlockStatement.body[body.length=0]', message: 'catch' },
];

/** Returns whether a message is about a shape. */
const isShape = ({ ruleId, message }: LintMessage, shape: string): boolean =>
  ruleId === 'no-restricted-syntax' && message === shape;

/** The kinds of danger, in the order of their criteria. */
export const lintRules: readonly LintRule[] = [
  {
    ...common,
    id: 'code-eval',
    name: 'No code from text',
    description: 'No text becomes code: eval, new Function, timers with text, vm',
    suggestedFix: 'Call a function, or read data with JSON.parse',
    tell: isOf(
      'a text becomes code',
      'no-eval',
      'no-implied-eval',
      'no-new-func',
      'sonar/code-eval',
    ),
  },
  {
    ...common,
    id: 'code-html-sinks',
    name: 'No markup from unknown text',
    description: 'No text from elsewhere becomes markup: innerHTML, document.write and the like',
    suggestedFix: 'Set textContent, create elements, or clean the text with a sanitizer',
    tell: isOf('a text becomes markup', 'unsanitized/method', 'unsanitized/property'),
  },
  {
    ...common,
    id: 'code-shell',
    name: 'No built shell commands',
    description: 'No shell runs a command that the code builds',
    suggestedFix: 'Use execFile or spawn with a list of arguments, and without a shell',
    tell: isOf('a shell runs a command that the code builds', 'sonar/os-command'),
  },
  {
    ...common,
    id: 'code-sql',
    name: 'No built SQL',
    description: 'No statement of SQL is joined with values',
    suggestedFix: 'Put placeholders into the statement, and choose names of tables from a list',
    tell: (message) =>
      message.ruleId === 'sonar/sql-queries' || isShape(message, 'sql')
        ? 'a value is joined into a statement of SQL'
        : undefined,
  },
  {
    ...common,
    id: 'code-empty-catch',
    name: 'No errors disappear',
    description: 'No catch block is empty',
    severity: 'minor',
    category: 'quality',
    suggestedFix: 'Handle or log the error, or say in a comment why it does not matter',
    // a comment in the block says why: then ESLint does not call it empty
    tell: (message, all) =>
      isShape(message, 'catch') &&
      all.some(
        ({ ruleId, line, column }) =>
          ruleId === 'no-empty' && line === message.line && column === message.column,
      )
        ? 'an error disappears'
        : undefined,
  },
];

/** Returns the rules of the linter with their options. */
export function rulesOfLinter(sanitizers: readonly string[]): Linter.RulesRecord {
  const trusted = { methods: [...sanitizers], taggedTemplates: [...sanitizers] };
  return {
    'no-eval': 'error',
    'no-implied-eval': 'error',
    'no-new-func': 'error',
    'no-empty': 'error',
    'no-restricted-syntax': ['error', ...shapes],
    // what import() loads is no markup
    'unsanitized/method': ['error', { escape: trusted }, { import: { properties: [] } }],
    'unsanitized/property': ['error', { escape: trusted }, { srcdoc: {} }],
    'sonar/sql-queries': 'error',
    'sonar/os-command': 'error',
    'sonar/code-eval': 'error',
  };
}
