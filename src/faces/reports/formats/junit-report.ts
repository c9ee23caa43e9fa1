import { requirementPrefix } from '../../../core/scores.js';
import { junitMark } from '../report-marks.js';
import type { AssessmentReport, RunReport } from '../run-report.js';
import {
  checkedRuns,
  type FormatOptions,
  gatherFindings,
  passes,
  plainLine,
  plainText,
  type RunFinding,
  wellFormed,
} from './findings-of.js';
import { hasBroken, notesOf } from './run-notes.js';

/** Without a result it passed. */
interface Case {
  readonly name: string;
  readonly classname: string;
  readonly result?: Result | undefined;
}

interface Result {
  readonly kind: 'failure' | 'error' | 'skipped';
  readonly type: string;
  readonly message: string;
  readonly text: string;
}

/**
 * Returns runs as JUnit XML: a test suite for each run, with a case for its verdict, one for each
 * criterion that judged, and one for each criterion and file with gaps. A failed judge and an open
 * question are errors, never failures. Gaps that do not block are skipped cases that say why.
 *
 * @throws ReviewLoopError `invalid_options` if there is no run or an option is invalid
 * @example
 * ```ts
 * await writeFile('junit.xml', junitReport(runReport(outcome)));
 * ```
 */
export function junitReport(
  runs: RunReport | readonly RunReport[],
  options: FormatOptions = {},
): string {
  const reports = checkedRuns('junitReport', runs, { options });
  const suites = reports.map((run, id) => suiteOf(run, id, options));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${junitMark}\n<testsuites>\n${suites.join('')}</testsuites>\n`;
}

function suiteOf(run: RunReport, id: number, options: FormatOptions): string {
  const cases = casesOf(run, options);
  const count = (kind: Result['kind']): number =>
    cases.filter(({ result }) => result?.kind === kind).length;
  const properties = {
    runId: run.runId,
    status: run.status,
    code: run.code,
    version: run.version ?? '',
  };
  return [
    `<testsuite${attributes({
      name: `reviewloop ${plainLine(run.pipeline ?? 'review', 200)}`,
      package: 'reviewloop',
      id: String(id),
      hostname: 'localhost',
      timestamp: timestampOf(run.at),
      tests: String(cases.length),
      failures: String(count('failure')),
      errors: String(count('error')),
      skipped: String(count('skipped')),
      time: secondsOf(run.durationMs),
    })}>`,
    '<properties>',
    ...Object.entries(properties).map(
      ([name, value]) => `<property${attributes({ name, value: plainLine(value) })}/>`,
    ),
    '</properties>',
    ...cases.map(written),
    '<system-out/>',
    '<system-err/>',
    '</testsuite>',
    '',
  ].join('\n');
}

function casesOf(run: RunReport, options: FormatOptions): Case[] {
  const shown = new Set(run.gaps.map(({ criterionId }) => criterionId));
  const nameOf = namesOf(run);
  return [
    { name: 'verdict', classname: 'reviewloop', result: verdictOf(run) },
    ...assessmentsOf(run).flatMap((one) => {
      const results = resultsOf(one, shown.has(one.criterion));
      return results.map((result) => ({
        name: nameOf(one.criterion),
        classname: 'reviewloop',
        result,
      }));
    }),
    ...gapCases(gatherFindings([run], options), passes(run), nameOf),
  ];
}

function verdictOf(run: RunReport): Result | undefined {
  if (passes(run)) return undefined;
  const [verdict] = notesOf(run);
  return {
    kind: hasBroken(run) ? 'error' : 'failure',
    type: run.status,
    message: plainLine(verdict?.message ?? run.reason),
    text: run.code,
  };
}

function assessmentsOf(run: RunReport): readonly AssessmentReport[] {
  const best = run.reviews.find((review) => review.best);
  return best?.assessments ?? [...(run.partial ?? []), ...run.failures, ...run.undecided];
}

/**
 * There is one, `undefined` for a pass, and none for a failed one with gaps, which has a case for
 * each file.
 */
function resultsOf(assessment: AssessmentReport, hasGaps: boolean): (Result | undefined)[] {
  const { verdict, text, code = 'judge_failed', question = text } = assessment;
  const result = (kind: Result['kind'], type: string, message = text): Result[] => [
    { kind, type, message: plainLine(message), text: plainText(text) },
  ];
  switch (verdict) {
    case 'pass':
      return [undefined];
    case 'fail':
      return hasGaps ? [] : result('failure', 'failed');
    case 'skipped':
      return result('skipped', 'skipped', `not applicable: ${text}`);
    case 'undecided':
      return result(
        assessment.mandatory === false ? 'skipped' : 'error',
        'undecided',
        `undecided: ${question}`,
      );
    case 'errored':
      return result('error', code);
  }
}

/** A requirement is named by its words. */
function namesOf(run: RunReport): (criterion: string) => string {
  const words = new Map(run.coverage.map(({ id, requirement }) => [id, requirement]));
  const ids = new Map(assessmentsOf(run).map(({ criterion, id }) => [criterion, id]));
  return (criterion) => {
    const id = ids.get(criterion);
    const name = criterion.startsWith(requirementPrefix)
      ? `requirement: ${(id === undefined ? undefined : words.get(id)) ?? criterion.slice(requirementPrefix.length)}`
      : criterion;
    return plainLine(name, 250) || 'review';
  };
}

function written({ name, classname, result }: Case): string {
  const begin = `<testcase${attributes({ name, classname, time: '0' })}`;
  if (result === undefined) return `${begin}/>`;
  const { kind, type, message, text } = result;
  const given = kind === 'skipped' ? { message } : { type: plainLine(type, 200), message };
  return `${begin}><${kind}${attributes(given)}>${xmlText(text)}</${kind}></testcase>`;
}

function attributes(given: Readonly<Record<string, string>>): string {
  return Object.entries(given)
    .map(([name, value]) => ` ${name}="${xmlAttribute(value)}"`)
    .join('');
}

/** It has no fractions and no zone, as the schema demands. */
function timestampOf(at: string): string {
  const time = Date.parse(at);
  return new Date(Number.isFinite(time) ? time : 0).toISOString().slice(0, 19);
}

function secondsOf(ms: number): string {
  return (Number.isFinite(ms) ? Math.max(0, ms) / 1000 : 0).toFixed(3);
}

/** Characters that XML 1.0 does not allow, escaped or not. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** For an attribute; forbidden characters become U+FFFD. */
function xmlAttribute(text: string): string {
  return allowed(text).replace(/[&<>"\t\n\r]/g, (found) => entities[found] ?? '');
}

/** For an element; forbidden characters become U+FFFD. */
function xmlText(text: string): string {
  return allowed(text).replace(/[&<>\r]/g, (found) => entities[found] ?? '');
}

function allowed(text: string): string {
  return wellFormed(text).replace(forbidden, '\ufffd');
}

/** One for each criterion, file and state. */
function gapCases(
  findings: readonly RunFinding[],
  passed: boolean,
  nameOf: (criterion: string) => string,
): Case[] {
  const groups = new Map<string, [RunFinding, ...RunFinding[]]>();
  for (const finding of findings) {
    const key = JSON.stringify([criterionOf(finding), fileOf(finding) ?? null, finding.state]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return [...groups.values()].map((group) => {
    const [first] = group;
    const { state, justification, gap } = first;
    const blocks = state === 'open' && !passed;
    const why = blocks ? '' : `${justification ?? 'does not block'}: `;
    const more = group.length === 1 ? '' : ` (and ${group.length - 1} more)`;
    return {
      name: nameOf(criterionOf(first)),
      classname: plainLine(fileOf(first) ?? 'reviewloop', 500),
      result: {
        kind: blocks ? 'failure' : 'skipped',
        type: state,
        message: `${why}${plainLine(gap.description, 1_000)}${more}`,
        text: group.map(paragraphOf).join('\n\n'),
      },
    };
  });
}

function criterionOf({ gap, rule }: RunFinding): string {
  return gap.criterionId ?? rule;
}

function fileOf({ place }: RunFinding): string | undefined {
  return place?.by === 'gap' ? place.file : undefined;
}

function paragraphOf({ fingerprint, gap, message, place }: RunFinding): string {
  const at = place === undefined ? '' : `${plainLine(place.file)}:${place.region.startLine} `;
  return `${at}${gap.severity} [${plainLine(fingerprint)}]\n${message}`;
}
