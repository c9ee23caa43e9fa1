import type { CriterionResult, Finding } from '../../core/criterion.js';
import { plural } from '../../core/plural.js';
import { redactSecrets } from '../../redact/secrets.js';
import type { CommandOptions, CommandOutput } from './command-options.js';
import { parseEsLint, parseLines, parseSarif, type ToolFinding } from './parse-reports.js';
import { parseJUnit, parseTap } from './parse-tests.js';
import { endOf, shorten } from './shorten.js';

/** The findings in the output of a command. */
export interface ReadFindings {
  readonly findings: readonly ToolFinding[];
  /** Whether the output has the chosen format, and is whole. */
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

/**
 * Returns the findings of a command, from its report or else from stdout; lines are read from both
 * streams.
 */
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
  if (parse === 'auto') {
    const found = parseSarif(text) ?? parseEsLint(text) ?? parseJUnit(text) ?? parseTap(text);
    return found === undefined
      ? { readable: true, findings: parseLines(linesOf(output)) }
      : { readable: !isCut(output), findings: found };
  }
  if (parse === 'lines' || parse === 'none')
    return { readable: true, findings: parsers[parse](linesOf(output)) };
  const found = parsers[parse](text);
  return { readable: found !== undefined && !isCut(output), findings: found ?? [] };
}

function linesOf({ report, stdout, stderr }: CommandOutput): string {
  return report ?? `${stdout}\n${stderr}`;
}

/** Whether a part of a report on the standard output is missing. */
function isCut({ report, stdout, truncated }: CommandOutput): boolean {
  return (
    report === undefined && truncated && /\[\.\.\. \d{1,15} bytes left out \.\.\.\]/.test(stdout)
  );
}

/** The parts of a result that do not come from the output. */
export interface ResultAbout {
  readonly shown: string;
  readonly passExitCodes: readonly number[];
  /** Returns the path in the output of a file that a tool names. */
  readonly pathOf: (file: string) => string;
}

/** Returns the result of a finished command: a bad exit code or a reported error is a failure. */
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

/**
 * Returns a finding with the paths of the output, without secrets and without the members of
 * parsers.
 */
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
