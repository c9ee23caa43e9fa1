import type { Artifact } from '../../../core/artifact.js';
import { bySeverity, type Gap, isOpen } from '../../../core/gap.js';
import { hashText } from '../../../core/hash.js';
import { checkKeys, invalid } from '../../../core/options.js';
import { redactJson } from '../../../core/redact/redact-json.js';
import { requirementPrefix } from '../../../core/scores.js';
import { fileOf } from '../gap-order.js';
import type { RunReport } from '../run-report.js';
import { visible } from '../shown-text.js';
import { type Region, regionOf } from './region.js';

/**
 * Returns the gaps of the returned versions of runs, the worst first. Every writer of a machine
 * format shows exactly these. A judge that failed and a question that is undecided are not findings.
 *
 * @throws ReviewLoopError `invalid_options` if there is no run or an option is invalid
 * @example
 * ```ts
 * const findings = findingsOf(runReport(await pipeline.run(task)));
 * const blocking = findings.filter(({ level }) => level === 'error');
 * ```
 */
export function findingsOf(
  runs: RunReport | readonly RunReport[],
  options: FormatOptions = {},
): RunFinding[] {
  return gatherFindings(checkedRuns('findingsOf', runs, { options }), options);
}

/** The runs are checked and contain no secrets. The worst finding comes first. */
export function gatherFindings(
  reports: readonly RunReport[],
  options: FormatOptions,
): RunFinding[] {
  const seen = new Map<string, number>();
  return reports
    .flatMap((run) => findingsIn(run, options))
    .filter(({ state }) => state === 'open' || options.waived !== 'omit')
    .map((finding): RunFinding => {
      const occurrence = (seen.get(finding.id) ?? 0) + 1;
      seen.set(finding.id, occurrence);
      const fingerprint = occurrence === 1 ? finding.id : `${finding.id}-${occurrence}`;
      return { ...finding, occurrence, fingerprint };
    })
    .sort(worstFirst);
}

export function passes({ approved, status, exitCode }: RunReport): boolean {
  return (approved || status === 'accepted') && exitCode === 0;
}

function findingsIn(
  run: RunReport,
  options: FormatOptions,
): Omit<RunFinding, 'occurrence' | 'fingerprint'>[] {
  const placeOf = placesOf(run, options);
  return run.gaps.map((gap) => {
    const place = placeOf(gap);
    const state = stateOf(gap, run);
    return {
      id: gap.id,
      runId: run.runId,
      gap,
      rule: ruleOfCriterion(gap.criterionId ?? gap.raisedBy ?? ''),
      level: levelOf(gap, state, run),
      state,
      justification: justificationOf(state, run),
      message: messageOf(gap),
      ...(place !== undefined && { place }),
    };
  });
}

function stateOf(gap: Gap, { status, acceptance }: RunReport): FindingState {
  if (gap.standing === 'waived' || gap.standing === 'disputed') return gap.standing;
  const isAccepted =
    status === 'accepted' && (acceptance?.kind === 'override' || acceptance?.kind === 'skip');
  return isAccepted && isOpen(gap) ? 'overridden' : 'open';
}

function justificationOf(state: FindingState, { acceptance }: RunReport): string | undefined {
  switch (state) {
    case 'open':
      return undefined;
    case 'waived':
      return 'waived';
    case 'disputed':
      return 'disputed: another judge does not confirm it';
    case 'overridden':
      return plainText(
        `overridden by ${acceptance?.by ?? 'a person'}: ${acceptance?.reason ?? ''}`,
      );
  }
}

function levelOf({ severity }: Gap, state: FindingState, run: RunReport): RunFinding['level'] {
  if (state !== 'open') return 'note';
  if (severity === 'critical') return 'error';
  return severity === 'major' && !passes(run) ? 'error' : 'warning';
}

function messageOf({ description, suggestedFix }: Gap): string {
  const what = description.trim() === '' ? 'a gap without a description' : description;
  const fix = suggestedFix.trim();
  const isNew = fix !== '' && fix !== what.trim();
  return plainText(isNew ? `${what}\n\nFix: ${suggestedFix}` : what);
}

function worstFirst(a: RunFinding, b: RunFinding): number {
  return (
    levels.indexOf(a.level) - levels.indexOf(b.level) ||
    bySeverity(a.gap, b.gap) ||
    compareTexts(a.place?.file ?? '', b.place?.file ?? '') ||
    (a.place?.region.startLine ?? 0) - (b.place?.region.startLine ?? 0)
  );
}

const levels: readonly RunFinding['level'][] = ['error', 'warning', 'note'];

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

export interface FormatOptions {
  /**
   * The content of versions, by the digest that their review names. With it, places have columns.
   *
   * @default none: places have lines only
   */
  readonly versions?: Readonly<Record<string, readonly Artifact[]>> | undefined;
  /**
   * Returns the folder that the paths of a run are relative to, as seen from the root of the
   * repository, such as `packages/site`.
   *
   * @default the root
   */
  readonly folderOf?: ((run: RunReport) => string) | undefined;
  /**
   * Returns the file of a run's task and its text. Gaps without a file of their own are shown where
   * the task states their requirement.
   *
   * @default none: such gaps are shown in the first file of the run
   */
  readonly taskOf?: ((run: RunReport) => TaskFile | undefined) | undefined;
  /**
   * Whether gaps that do not count (waived, disputed, overridden) are written as suppressed, or left
   * out. GitHub opens an alert for suppressed ones too.
   *
   * @default 'suppress'
   */
  readonly waived?: 'suppress' | 'omit' | undefined;
}

export interface TaskFile {
  /** The path, relative to the root of the repository. */
  readonly file: string;
  readonly text: string;
}

const names = ['versions', 'folderOf', 'taskOf', 'waived'];

/** The runs contain no secrets then. */
export function checkedRuns(
  writer: string,
  runs: RunReport | readonly RunReport[],
  { options, more = [] }: { readonly options: FormatOptions; readonly more?: readonly string[] },
): readonly RunReport[] {
  checkKeys(writer, options, [...names, ...more]);
  const { waived = 'suppress' } = options;
  if (waived !== 'suppress' && waived !== 'omit')
    throw invalid('waived', "'suppress' or 'omit'", waived);
  const list: readonly RunReport[] = 'runId' in runs ? [runs] : runs;
  if (list.length === 0) throw invalid('runs', 'at least one run', runs);
  return redactJson(list);
}

/**
 * `waived`: a person or the producer's reason waived it; `disputed`: another judge does not confirm
 * it; `overridden`: a person accepted the version in spite of it.
 */
export type FindingState = 'open' | 'waived' | 'disputed' | 'overridden';

/** A gap of the returned version, as machine formats show it. */
export interface RunFinding {
  /** The id of the gap. */
  readonly id: string;
  /** Which finding with this id it is, from 1. Several runs may find the same gap. */
  readonly occurrence: number;
  /** Equal for the same gap after its lines moved: the id, and the occurrence from the second on. */
  readonly fingerprint: string;
  readonly runId: string;
  /** The gap without secrets. */
  readonly gap: Gap;
  /** The id of the criterion, or `requirement`. */
  readonly rule: string;
  /** `error` if it blocks, `note` if it does not count. */
  readonly level: 'error' | 'warning' | 'note';
  readonly state: FindingState;
  /** Why it does not count. */
  readonly justification?: string | undefined;
  /** What is wrong, and how to fix it. */
  readonly message: string;
  /** Where it is shown; `undefined` for a run without files. */
  readonly place?: FindingPlace | undefined;
}

export interface FindingPlace {
  /** The path, relative to the root of the repository, with `/`. */
  readonly file: string;
  readonly region: Region;
  /** What named the place: the gap itself, the task, or nothing but the list of files. */
  readonly by: 'gap' | 'task' | 'run';
}

/** For a message, in characters. */
const mostText = 4_000;

/** Half of a character: it has no form in UTF-8. */
const halves = /\p{Surrogate}/gu;

export function wellFormed(text: string): string {
  return text.replace(halves, '\ufffd');
}

/** Hidden characters become escapes, and the rest of a long text is counted. */
export function plainText(text: string, most = mostText): string {
  const shown = visible(wellFormed(text).replace(/\r\n?/g, '\n'));
  if (shown.length <= most) return shown;
  return `${wellFormed(shown.slice(0, most))}… (${shown.length - most} more characters)`;
}

export function plainLine(text: string, most?: number): string {
  return plainText(text.replace(/\s+/g, ' ').trim(), most);
}

const longestRule = 200;

export function ruleOfCriterion(criterion: string): string {
  if (criterion.startsWith(requirementPrefix)) return 'requirement';
  const name = plainLine(criterion);
  if (name === '') return 'review';
  return name.length <= longestRule
    ? name
    : `${plainLine(name.slice(0, longestRule))}-${hashText(name).slice(0, 8)}`;
}

function placesOf(
  run: RunReport,
  { versions = {}, folderOf, taskOf }: FormatOptions,
): (gap: Gap) => FindingPlace | undefined {
  const folder = folderOf?.(run) ?? '';
  const task = taskOf?.(run);
  const artifacts = versions[run.version ?? ''] ?? [];
  const texts = new Map(artifacts.map(({ path, content }) => [path, content]));
  const [first] = run.files;
  return (gap) => {
    const own = fileOf(gap);
    if (own !== '') {
      const { line = 1, endLine } = gap.location ?? {};
      const region = regionOf({ line, endLine, quote: gap.evidence }, texts.get(own));
      return { file: inRepository(folder, own), region, by: 'gap' };
    }
    const stated = task && statedIn(task, gap.affectedRequirement);
    if (stated !== undefined) return stated;
    if (first === undefined) return undefined;
    const region = regionOf({ line: 1 }, texts.get(first.path));
    return { file: inRepository(folder, first.path), region, by: 'run' };
  };
}

function statedIn(
  { file, text }: TaskFile,
  requirement: string | undefined,
): FindingPlace | undefined {
  if (requirement === undefined) return undefined;
  const sought = folded(requirement);
  const lines = text.split('\n').map(folded);
  const index = lines.findIndex((line) => sought !== '' && line.includes(sought));
  // a requirement of several lines begins on the line whose words begin it
  const begin =
    index === -1 ? lines.findIndex((line) => line.length > 10 && sought.startsWith(line)) : index;
  if (begin === -1) return undefined;
  return { file: inRepository('', file), region: regionOf({ line: begin + 1 }, text), by: 'task' };
}

function folded(text: string): string {
  return text
    .replace(/^[\s>#*+-]*(?:\d+[.)]\s+)?(?:\[[ x]\]\s+)?/i, '')
    .replace(/\s+/g, ' ')
    .replace(/(?<![.;:!])[.;:!]+$/, '')
    .trim()
    .toLowerCase();
}

/** It is below `folder`, with `/`, without `.` and inner `..`. */
export function inRepository(folder: string, path: string): string {
  const isAbsolute = /^(?:[/\\]|[a-z]:[/\\])/i.test(path);
  const whole = isAbsolute ? path : `${folder}/${path}`;
  const parts: string[] = [];
  for (const part of whole.split(/[/\\]/)) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  const joined = parts.join('/');
  return isAbsolute && whole.startsWith('/') ? `/${joined}` : joined;
}
