import { type Artifacts, artifactsOf } from '../../core/artifact.js';
import type { CriterionResult } from '../../core/criterion.js';
import { hashText } from '../../core/hash.js';
import { checkKeys, invalid } from '../../core/options.js';
import { plural } from '../../core/plural.js';
import { cutAroundSecrets } from '../../redact/cut-around-secrets.js';
import {
  type ArtifactCriterion,
  artifactCriterion,
  type Found,
  shareResult,
} from '../artifact-criterion.js';
import { mapInTurns } from '../event-turns.js';
import { RecentReadings } from '../recent-readings.js';
import { sourceLines } from '../source-lines.js';
import { type LintPeers, lintPeers } from './lint-peers.js';
import { type LintRule, lintRules } from './lint-rules.js';
import { type LintAnswer, lintText } from './lint-text.js';
import { type LintedFile, lintedFiles, mayHoldScript } from './linted-files.js';

/** Options of {@link codeLintCriteria}. */
export interface CodeLintOptions {
  /**
   * The functions whose result may become markup, such as `DOMPurify.sanitize`.
   *
   * @default escapeHTML, escapeHtml, DOMPurify.sanitize, sanitizeHtml, Sanitizer.escapeHTML
   */
  readonly sanitizers?: readonly string[] | undefined;
}

const usual = [
  'escapeHTML',
  'escapeHtml',
  'DOMPurify.sanitize',
  'sanitizeHtml',
  'Sanitizer.escapeHTML',
];

/**
 * Creates the criteria for dangerous JavaScript and TypeScript, also in pages: text that becomes
 * code, markup, a command or SQL, and errors that disappear. ESLint judges with fixed rules. The
 * configuration of the project is not read, and its comments switch nothing off.
 *
 * @throws ReviewLoopError `invalid_options`; `peer_missing` without the packages
 * @example
 * ```ts
 * const reviewers = await codeLintCriteria();
 * const pipeline = definePipeline({ produce: writeCode, reviewers });
 * ```
 */
export async function codeLintCriteria(
  options: CodeLintOptions = {},
): Promise<ArtifactCriterion[]> {
  checkKeys('codeLintCriteria', options, ['sanitizers']);
  const { sanitizers = usual } = options;
  if (
    !Array.isArray(sanitizers) ||
    !sanitizers.every((name: unknown) => typeof name === 'string' && /^[\w$.]+$/.test(name))
  )
    throw invalid('sanitizers', 'names of functions, such as "DOMPurify.sanitize"', sanitizers);
  const peers = await lintPeers();
  const lint = rememberedLint(peers, [...sanitizers]);
  const how = hashText(
    JSON.stringify([peers.versions, [...sanitizers].sort((a, b) => (a < b ? -1 : 1))]),
  );
  return lintRules.map((rule) => lintCriterion(rule, lint, `code-lint/1/${how}`));
}

const mostRemembered = 500;

type Lint = (file: LintedFile) => LintAnswer;

interface Reading {
  readonly file: string;
  readonly source: string;
  readonly answer: LintAnswer;
}

/** Returns a linter that judges a text once for all criteria. */
function rememberedLint(peers: LintPeers, sanitizers: readonly string[]): Lint {
  const recent = new RecentReadings<Reading>(mostRemembered);
  return (linted) => {
    const key = `${linted.file} ${linted.language} ${linted.as.join()}`;
    const known = recent.find(key, linted.code);
    if (known !== undefined) return known.answer;
    const answer = lintText(linted, peers, sanitizers);
    return recent.keep({ file: key, source: linted.code, answer }).answer;
  };
}

function lintCriterion(rule: LintRule, lint: Lint, version: string): ArtifactCriterion {
  const { id, name, description, severity, category } = rule;
  return artifactCriterion({
    id,
    name,
    description,
    severity,
    category,
    version: `${id}/${version}`,
    scope: (output) => ({ artifacts: artifactsOf(output).filter(mayHoldScript) }),
    check: (output) => judge(rule, lint, output),
  });
}

async function judge(rule: LintRule, lint: Lint, output: Artifacts): Promise<CriterionResult> {
  const { files, unread } = await lintedFiles(output);
  const open = [...unread];
  const judged = await mapInTurns(files, (linted) => {
    const answer = lint(linted);
    if (!('unreadable' in answer)) return findingsIn(linted, answer, rule);
    open.push(`${linted.file} is not read as ${linted.language}, ${answer.unreadable}`);
    return undefined;
  });
  const read = judged.filter((findings) => findings !== undefined);
  const findings = read.flat();
  const left = open.length === 0 ? '' : `not checked: ${few(open)}`;
  // code that was not read is never told as passed
  if (findings.length === 0 && (left !== '' || read.length === 0))
    return {
      passed: false,
      score: 0,
      details: '',
      skipped: left === '' ? 'no JavaScript or TypeScript was found' : left,
    };
  const passed = findings.every(({ severity = rule.severity }) => severity === 'minor');
  return shareResult({
    judged: read.length,
    findings,
    passed,
    details: [
      `${plural(findings.length, 'finding')} in ${plural(read.length, 'script')}`,
      ...(left === '' ? [] : [left]),
    ].join('; '),
    suggestedFix: rule.suggestedFix,
  });
}

function findingsIn(
  { file, code }: LintedFile,
  messages: Extract<LintAnswer, readonly unknown[]>,
  rule: LintRule,
): Found[] {
  const { quoteAt } = sourceLines(code);
  const starts = startsOf(code);
  const seen = new Set<number>();
  return messages.flatMap((message) => {
    const description = rule.tell(message, messages);
    if (description === undefined) return [];
    // two rules of the linter may name one place
    if (seen.has(message.line)) return [];
    seen.add(message.line);
    const evidence = cutAroundSecrets(
      quoteAt((starts[message.line - 1] ?? 0) + message.column - 1),
      500,
    );
    return [
      {
        file,
        line: message.line,
        ...(evidence !== '' && { evidence }),
        description,
        suggestedFix: rule.suggestedFix,
      },
    ];
  });
}

/** Returns the offsets at which the lines of the linter start. */
function startsOf(code: string): number[] {
  return [
    0,
    ...Array.from(
      code.matchAll(/\r\n|[\n\r\u2028\u2029]/g),
      ({ 0: end, index }) => index + end.length,
    ),
  ];
}

function few(texts: readonly string[]): string {
  return [...texts.slice(0, 3), ...(texts.length > 3 ? [`${texts.length - 3} more`] : [])].join(
    '; ',
  );
}
