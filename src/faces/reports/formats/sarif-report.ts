import { gzipSync } from 'node:zlib';
import { version } from '#report-shell';
import type { RunReport } from '../run-report.js';
import {
  checkedRuns,
  type FindingPlace,
  type FormatOptions,
  gatherFindings,
  plainLine,
  plainText,
  type RunFinding,
  ruleOfCriterion,
  wellFormed,
} from './findings-of.js';
import { hasBroken, notesOf, type RunNote } from './run-notes.js';

/** GitHub reads no more. */
const mostResults = 25_000;

/** GitHub reads no more, compressed; a little less than its 10 MB. */
const mostBytes = 9_500_000;

/**
 * Returns runs as SARIF 2.1.0, as code scanning on GitHub and editors read it: all of them as one
 * run of the tool. Each gap of a returned version is a result whose fingerprint survives moved
 * lines. Failed judges, open questions and the verdict are notifications, never results. Columns
 * count UTF-16 code units. More than 25,000 results, or 10 MB, are cut; a notification says so.
 *
 * @throws ReviewLoopError `invalid_options` if there is no run or an option is invalid
 * @example
 * ```ts
 * const outcome = await pipeline.run(task);
 * await writeFile('review.sarif', sarifReport(runReport(outcome), { waived: 'omit' }));
 * ```
 */
export function sarifReport(
  runs: RunReport | readonly RunReport[],
  options: FormatOptions = {},
): string {
  const reports = checkedRuns('sarifReport', runs, { options });
  const findings = gatherFindings(reports, options);
  let most = Math.min(findings.length, mostResults);
  let text = written(reports, findings, most);
  while (most > 0 && text.length > mostBytes && gzipSync(text).length > mostBytes) {
    most = Math.floor(most / 2);
    text = written(reports, findings, most);
  }
  return text;
}

function written(
  reports: readonly RunReport[],
  findings: readonly RunFinding[],
  most: number,
): string {
  const shown = findings.slice(0, most);
  const rules = sarifRules(reports, shown);
  const index = new Map(rules.map(({ id }, at) => [id, at]));
  const run = {
    tool: {
      driver: {
        name: 'reviewloop',
        semanticVersion: version,
        informationUri: 'https://www.npmjs.com/package/reviewloop',
        rules,
      },
    },
    automationDetails: { id: categoryOf(reports) },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { SRCROOT: { description: { text: 'The root of the repository.' } } },
    invocations: [invocationOf(reports, findings.length - shown.length)],
    results: shown.map((finding) => resultOf(finding, index)),
  };
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** GitHub takes the text up to its last slash as the category. */
function categoryOf([first]: readonly RunReport[]): string {
  const pipeline = plainText((first?.pipeline ?? 'review').replace(/[\s/]+/g, '-'), 100);
  return `reviewloop/${pipeline}/${wellFormed(first?.runId ?? '')}`;
}

function invocationOf(reports: readonly RunReport[], left: number): object {
  const notes = reports.flatMap(notesOf);
  const at = Date.parse(reports[0]?.at ?? '');
  const cut: RunNote = {
    kind: 'verdict',
    level: 'warning',
    code: 'results_cut',
    title: 'cut',
    message: `${left} more gaps are left out; the worst ones are shown.`,
  };
  return {
    executionSuccessful: reports.every(isWhole),
    exitCode: reports.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 0,
    ...(Number.isFinite(at) && { startTimeUtc: new Date(at).toISOString() }),
    toolExecutionNotifications: [...(left > 0 ? [cut] : []), ...notes].map(notificationOf),
  };
}

function isWhole(run: RunReport): boolean {
  const best = run.reviews.find((review) => review.best);
  return run.failures.length === 0 && !hasBroken(run) && (best?.complete ?? true);
}

function notificationOf({ kind, level, code, message, criterion }: RunNote): object {
  // the code of a run may be the name of another kind
  const id = kind === 'verdict' ? `verdict/${code}` : code;
  return {
    level,
    descriptor: { id: plainText(id, 200) },
    message: { text: message },
    ...(criterion !== undefined && { associatedRule: { id: ruleOfCriterion(criterion) } }),
  };
}

const baselines = {
  new: 'new',
  regressed: 'new',
  persisting: 'unchanged',
  fixed: 'absent',
  gone: 'absent',
  unknown: 'absent',
} as const;

function resultOf(finding: RunFinding, index: ReadonlyMap<string, number>): object {
  const { id, occurrence, fingerprint, gap, rule, level, state, justification, place } = finding;
  return {
    ruleId: rule,
    ruleIndex: index.get(rule) ?? -1,
    level,
    message: { text: finding.message },
    locations: place === undefined ? [] : [locationOf(place)],
    partialFingerprints: {
      primaryLocationLineHash: `${wellFormed(id)}:${occurrence}`,
      'reviewloop/gapId/v1': wellFormed(fingerprint),
    },
    baselineState: baselines[gap.lifecycle ?? 'new'],
    suppressions:
      state === 'open'
        ? []
        : [{ kind: 'external', status: 'accepted', justification: justification ?? state }],
    properties: { severity: gap.severity, category: gap.category, state, runId: finding.runId },
  };
}

function locationOf({ file, region }: FindingPlace): object {
  const { startLine, endLine, columns } = region;
  // without the text of the line, only its first character is certain
  const { start, end } = columns?.utf16 ?? { start: 1, end: 2 };
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(file), ...(isInside(file) && { uriBaseId: 'SRCROOT' }) },
      region: { startLine, startColumn: start, endLine, endColumn: end },
    },
  };
}

function isInside(file: string): boolean {
  return !file.startsWith('/') && !file.startsWith('../');
}

function uriOf(file: string): string {
  const encoded = wellFormed(file)
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
  return file.startsWith('/') ? `file://${encoded}` : encoded;
}

/** It is the same in every analysis, whatever was found. */
export interface SarifRule {
  readonly id: string;
  readonly name: string;
  readonly shortDescription: { readonly text: string };
  readonly fullDescription: { readonly text: string };
  readonly help: { readonly text: string };
  readonly defaultConfiguration: { readonly level: 'warning' };
  readonly properties: { readonly tags: readonly string[]; readonly 'security-severity'?: string };
}

/** GitHub reads no more. */
const mostRules = 25_000;

function sarifRules(reports: readonly RunReport[], findings: readonly RunFinding[]): SarifRule[] {
  const names = new Map<string, string>();
  for (const { criteria, reviews } of reports) {
    const best = reviews.find((review) => review.best);
    for (const { criterion } of best?.assessments ?? [])
      names.set(ruleOfCriterion(criterion), criteria.names[criterion] ?? '');
  }
  for (const { rule } of findings) if (!names.has(rule)) names.set(rule, '');
  const used = new Set(findings.map(({ rule }) => rule));
  return [...names]
    .sort(([a], [b]) => Number(used.has(b)) - Number(used.has(a)) || (a < b ? -1 : 1))
    .slice(0, mostRules)
    .map(([id, name]) => ruleNamed(id, name));
}

const secretRules = new Set(['code-secrets', 'text-secrets']);

function ruleNamed(id: string, name: string): SarifRule {
  const title =
    id === 'requirement'
      ? 'The work satisfies the task'
      : plainLine(name.trim() === '' ? id : name, 250);
  const isSecret = secretRules.has(id);
  return {
    id,
    name: plainLine(id, 250),
    shortDescription: { text: title },
    fullDescription: { text: plainLine(`${title} (${id})`, 1_000) },
    help: {
      text: `The criterion ${plainLine(id, 250)} of a review is not met. The message of each result says how to fix it.`,
    },
    defaultConfiguration: { level: 'warning' },
    properties: {
      tags: ['reviewloop', ...(isSecret ? ['security'] : [])],
      ...(isSecret && { 'security-severity': '8.0' }),
    },
  };
}
