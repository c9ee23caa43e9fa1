import type { CriterionResult, Finding } from '../../core/criterion.js';
import { redactSecrets } from '../../redact/secrets.js';
import type { CommandOptions, CommandOutput } from './command-options.js';
import { parseEsLint, parseLines, parseSarif, type ToolFinding } from './parse-reports.js';
import { parseJUnit, parseTap } from './parse-tests.js';
import { endOf, shorten } from './shorten.js';

/** What was read from a command's output beside its exit code. */
export interface ReadFindings {
  readonly findings: readonly ToolFinding[];
  /** Whether the format that was asked for could be read. */
  readonly readable: boolean;
}

const mostDetails = 4000;
const mostQuoted = 1000;
const mostFindings = 500;

const parsers = {
  sarif: parseSarif,
  eslint: parseEsLint,
  junit: parseJUnit,
  tap: parseTap,
  lines: parseLines,
  none: () => [],
} as const;

/** Reads the findings of a command: from its report, else from its standard output, lines from both streams. */
export function readFindings(
  output: CommandOutput,
  parse: CommandOptions<never>['parse'] = 'auto',
): ReadFindings {
  if (typeof parse === 'function')
    return {
      readable: true,
      findings: parse(output).map((found) => ({
        ...found,
        level: found.severity === 'minor' ? 'warning' : 'error',
      })),
    };
  const text = output.report ?? output.stdout;
  const both = `${output.stdout}\n${output.stderr}`;
  if (parse === 'auto') {
    const found = parseSarif(text) ?? parseEsLint(text) ?? parseJUnit(text) ?? parseTap(text);
    return { readable: true, findings: found ?? parseLines(output.report ?? both) };
  }
  const found = parsers[parse](parse === 'lines' ? (output.report ?? both) : text);
  return { readable: found !== undefined, findings: found ?? [] };
}

/** What a result is made with. */
export interface ResultAbout {
  readonly shown: string;
  readonly passExitCodes: readonly number[];
  /** The path that an output gives a file which a tool names. */
  readonly pathOf: (file: string) => string;
}

/** The result of a command that ended by itself: a bad exit code or an error that it reports is a failure. */
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
      ? `, ${findings.length - mostFindings} more findings are left out`
      : '';
  const whole = `${shown} ended with exit code ${output.exitCode}${errors > 0 ? `, ${errors} errors` : ''}${left}`;
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

/** A finding as gaps keep it: paths as in the output, no secrets, no member that only parsers need. */
function tidy(
  { level, file, description, evidence, ...rest }: ToolFinding,
  pathOf: (file: string) => string,
): Finding {
  return {
    ...rest,
    description: redactSecrets(description),
    ...(file !== undefined && { file: pathOf(file) }),
    ...(evidence !== undefined && { evidence: redactSecrets(evidence) }),
    ...(level === 'warning' && { severity: 'minor' as const }),
  };
}
