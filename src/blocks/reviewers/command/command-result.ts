import type { CriterionResult, Finding } from '../../../core/criterion.js';
import { plural } from '../../../core/plural.js';
import { redactSecrets } from '../../../core/redact/secrets.js';
import type { CommandOptions, CommandOutput } from './command-options.js';
import { parseJUnit } from './parse-junit.js';
import { parseEsLint, parseLines, type ToolFinding } from './parse-reports.js';
import { parseSarif } from './parse-sarif.js';
import { parseTap } from './parse-tap.js';

export interface ReadFindings {
  readonly findings: readonly ToolFinding[];
  /** Why the output does not tell whether there are other errors. */
  readonly unclear?: string | undefined;
}

const mostDetails = 4000;

const mostQuoted = 1000;

const mostFindings = 500;

const parsers = { sarif: parseSarif, eslint: parseEsLint, junit: parseJUnit, tap: parseTap };

/** What stands in each report of a format: a text with all of it, if unreadable, is unclear. */
const traces = {
  sarif: ['"runs"', '"tool"', '"results"'],
  eslint: ['"filePath"', '"messages"', '"severity"'],
  junit: ['<testsuite'],
  tap: ['TAP version'],
};

/**
 * Returns the findings of a command, from its report or else from stdout; lines are read from both
 * streams. What is cut off, or has the traces of a report that cannot be read, is unclear.
 */
export function readFindings(
  output: CommandOutput,
  parse: CommandOptions<never>['parse'] = 'auto',
): ReadFindings {
  if (typeof parse === 'function')
    return {
      findings: parse(output).map((found) => ({
        ...found,
        level: found.severity === 'minor' ? 'warning' : 'error',
      })),
    };
  if (parse === 'none') return { findings: [] };
  const text = output.report ?? output.stdout;
  const lines = output.report ?? `${output.stdout}\n${output.stderr}`;
  if (parse === 'lines') return readIn(parseLines(lines), isCut(output, lines));
  const formats = parse === 'auto' ? (['sarif', 'eslint', 'junit', 'tap'] as const) : [parse];
  const read = formats.map((format) => ({ format, found: parsers[format](text) }));
  const found = read.flatMap((one) => one.found ?? []);
  const broken = read.find(
    (one) =>
      one.found === undefined &&
      (parse !== 'auto' || traces[one.format].every((trace) => text.includes(trace))),
  );
  if (broken !== undefined) return readIn(found, `its output is not ${broken.format}`);
  return read.some((one) => one.found !== undefined)
    ? readIn(found, isCut(output, text))
    : readIn(parseLines(lines), isCut(output, lines));
}

function readIn(findings: readonly ToolFinding[], unclear: string | undefined): ReadFindings {
  const open = findings.find(({ level }) => level === 'undecided')?.description;
  return { findings, unclear: unclear ?? open };
}

function isCut({ report, truncated }: CommandOutput, text: string): string | undefined {
  return report === undefined && truncated && /\[\.\.\. \d{1,15} bytes left out \.\.\.\]/.test(text)
    ? 'the middle of its output was cut out'
    : undefined;
}

export interface ResultAbout {
  readonly shown: string;
  readonly passExitCodes: readonly number[];
  readonly pathOf: (file: string) => string;
}

/** A bad exit code or a reported error is a failure. */
export function resultOf(
  output: CommandOutput,
  { findings }: ReadFindings,
  { shown, passExitCodes, pathOf }: ResultAbout,
): CriterionResult {
  const isGoodExit = passExitCodes.includes(output.exitCode);
  const errors = findings.filter(({ level }) => level === 'error').length;
  const passed = isGoodExit && errors === 0;
  const said = [output.stdout, output.stderr]
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n');
  const listed = findings.slice(0, mostFindings).map((found) => tidy(found, pathOf));
  const left =
    findings.length > mostFindings
      ? `, ${plural(findings.length - mostFindings, 'more finding')} omitted`
      : '';
  const whole = `${shown} exited with ${output.exitCode}${errors > 0 ? `, ${plural(errors, 'error')}` : ''}${left}`;
  const details = redactSecrets(shorten(said === '' ? whole : `${whole}\n${said}`, mostDetails));
  const isBlamed = passed || errors > 0;
  const all = isBlamed ? listed : [...listed, exitFinding(whole, said)];
  return {
    passed,
    score: passed ? 1 : 0,
    details,
    suggestedFix: `Make \`${shown}\` pass`,
    estimatedEffort: 'medium',
    ...(all.length > 0 && { findings: all }),
  };
}

function exitFinding(whole: string, said: string): Finding {
  const end = redactSecrets(endOf(said, mostQuoted));
  return { description: whole, ...(end !== '' && { evidence: end }) };
}

/** Has the paths of the output, no secrets and no members of parsers. */
function tidy(
  { level, file, description, evidence, ...rest }: ToolFinding,
  pathOf: (file: string) => string,
): Finding {
  return {
    ...rest,
    description: redactSecrets(description),
    ...(file !== undefined && { file: pathOf(file) }),
    ...(evidence !== undefined && { evidence: redactSecrets(evidence) }),
    ...(level !== 'error' && { severity: 'minor' as const }),
  };
}

/** No character is cut. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, Math.ceil(most / 2)).replace(/[\ud800-\udbff]$/, '');
  const tail = text.slice(text.length - Math.floor(most / 2)).replace(/^[\udc00-\udfff]/, '');
  return `${head}\n[... ${text.length - head.length - tail.length} characters left out ...]\n${tail}`;
}

export function endOf(text: string, most: number): string {
  const end = text.trimEnd();
  return end.length <= most ? end : end.slice(end.length - most).replace(/^[\udc00-\udfff]/, '');
}
