import { countOf, type Gap, isOpen } from '../../core/gap.js';
import { plural } from '../../core/plural.js';
import type { Try } from '../../core/tries.js';
import { gapDescription } from './gap-order.js';
import type { AssessmentReport, RunReport } from './run-report.js';
import { clockText } from './shown-text.js';
import { coverageWord, requirementCount } from './verdict-counts.js';

/** Every face says it so. */
export interface Verdict {
  /** One line: `Not approved: 2 major gaps, 1 minor`. */
  readonly word: string;
  /** Why, in a sentence or a few. */
  readonly why: string;
  /** `open`: it waits for an answer, or something was judged by nobody. */
  readonly tone: 'good' | 'bad' | 'open';
}

/** Codes of programs stand in neither `word` nor `why`. */
export function verdictOf(report: RunReport): Verdict {
  const { status, approved, acceptance, checksPassed, recorded } = report;
  const made = (tone: Verdict['tone'], word: string, why: readonly string[]): Verdict => ({
    tone,
    word,
    why: [...why, ...notReviewed(report)].filter((text) => text !== '').join(' '),
  });
  if (status === 'suspended') return made('open', waiting(report), waitingWhy(report));
  const passed = report.exitCode === 0 ? 'good' : 'bad';
  if (acceptance !== undefined) return made(passed, acceptedWord(report), acceptedWhy(report));
  if (approved) return made(passed, ...approvedWords(report));
  if (checksPassed) return made('open', ...checksWords(report));
  if (status === 'rejected') return made('bad', `Rejected${by(report)}`, [rejectedWhy(report)]);
  const broken = brokenWords(report);
  if (broken !== undefined) return made('bad', `No verdict: ${broken[0]}`, broken.slice(1));
  // without its reviews, nothing is known of gaps
  if (recorded === true) return made('bad', 'Not approved', [sentence(report.reason)]);
  return closedVerdict(report, made);
}

/** Has capitals where they help to find it in a log. */
export function headline(report: RunReport): string {
  const { word } = verdictOf(report);
  const [, name = '', rest = ''] = /^([^:,]*)([\s\S]*)$/.exec(word) ?? [];
  const person = / by ([\s\S]*)$/.exec(name);
  const shouted =
    person === null
      ? name.toUpperCase()
      : `${name.slice(0, person.index).toUpperCase()} BY ${person[1]}`;
  return `${shouted}${rest}`;
}

/** Without their answer nothing is approved. */
export function mustDecide({ undecided }: Pick<RunReport, 'undecided'>): AssessmentReport[] {
  return undecided.filter(({ mandatory }) => mandatory !== false);
}

type Words = readonly [word: string, why: string[]];
type Make = (tone: Verdict['tone'], word: string, why: readonly string[]) => Verdict;

function closedVerdict(report: RunReport, made: Make): Verdict {
  const open = report.gaps.filter(isOpen);
  const asked = mustDecide(report);
  const isBlocked = open.some(({ severity }) => severity !== 'minor');
  const waits = open.length === 0 || (!isBlocked && report.status === 'inconclusive');
  if (waits && asked.length > 0) return made('open', waiting(report), waitingWhy(report));
  const why = [...emptyFiles(report), broken(report), ...askedWhy(report)];
  const blocked = isBlocked || asked.length > 0;
  const word = open.length === 0 ? 'Not approved' : `Not approved: ${gapCounts(open)}`;
  return made('bad', word, [
    ...why.filter((text) => text !== ''),
    ...(blocked ? [] : [sentence(ownReason(report))]),
    ...setAside(report),
  ]);
}

function waiting(report: RunReport): string {
  const decisions = mustDecide(report).length;
  const count = decisions > 0 ? decisions : (report.requests?.length ?? 1);
  return `Not approved yet: ${plural(count, 'question')} for you`;
}

function waitingWhy(report: RunReport): string[] {
  const open = report.gaps.filter(isOpen);
  const gaps = open.length === 0 ? 'No gap is open.' : `${openText(open)}.`;
  if (mustDecide(report).length > 0) return [gaps, ...askedWhy(report), ...setAside(report)];
  return [(report.requests ?? []).map(({ question }) => question).join(' / ') || report.reason];
}

/** Who could not decide the open must-haves. */
function askedWhy(report: RunReport): string[] {
  const asked = mustDecide(report);
  if (asked.length === 0) return [];
  const needed = asked.every(({ id }) => id !== undefined)
    ? plural(asked.length, 'must-have')
    : plural(asked.length, 'question');
  const isModelLeft = asked.some(({ decidableBy = [] }) => decidableBy.includes('model'));
  return [
    isModelLeft
      ? `No check could decide ${needed}; no model was asked.`
      : `No check and no model could decide ${needed}.`,
  ];
}

function approvedWords(report: RunReport): Words {
  const open = report.gaps.filter(isOpen);
  const word =
    report.exitCode === 0
      ? `Approved${by(report)}`
      : `Approved, but --fail-on found ${gapCounts(open)}`;
  const optional = report.undecided.length;
  return [
    word,
    [
      report.recorded === true
        ? ''
        : 'Every must-have was decided and met, and no critical or major gap is open.',
      open.length === 0 ? '' : `${openText(open)}.`,
      ...setAside(report),
      optional === 0 ? '' : `${plural(optional, 'optional requirement')} may stay undecided.`,
    ],
  ];
}

function checksWords({ counts, undecided }: RunReport): Words {
  const passed = counts?.passed ?? 0;
  return [
    `Checks passed, ${plural(undecided.length, 'question')} not judged`,
    [
      `${passed === 1 ? 'The one check that applies' : `All ${passed} checks that apply`} passed.`,
      `No model was named, so nobody judged the rest. That is not an approval.`,
    ],
  ];
}

function acceptedWord(report: RunReport): string {
  const { acceptance } = report;
  const open = report.gaps.filter(isOpen).length;
  const against = open === 0 ? 'against the reviewers' : `against ${plural(open, 'gap')}`;
  switch (acceptance?.kind) {
    case 'override':
      return `Approved by ${acceptance.by}, ${against}`;
    case 'skip':
      return `Accepted by ${acceptance.by}, without a review`;
    case 'advisory':
      return `Accepted, not approved: ${open === 0 ? 'reviewers only advise' : `${plural(open, 'gap')} open`}`;
    default:
      return 'Accepted, not reviewed';
  }
}

function acceptedWhy({ acceptance, gaps }: RunReport): string[] {
  const open = gaps.filter(isOpen).length;
  const stays = open === 0 ? [] : [open === 1 ? 'The gap stays listed.' : 'The gaps stay listed.'];
  if (acceptance?.kind !== 'override') return [sentence(acceptance?.reason ?? ''), ...stays];
  return [`Reviewers did not approve. ${acceptance.by} did: "${acceptance.reason}".`, ...stays];
}

function rejectedWhy({ reason, decidedBy }: RunReport): string {
  return reason === `rejected by ${decidedBy}` ? '' : `"${reason}"`;
}

const unjudged: Readonly<Record<string, string>> = {
  running: 'the run has not ended',
  cancelled: 'it was cancelled',
  timed_out: 'the time was used up',
};

/** `undefined` if there is a verdict. */
function brokenWords(report: RunReport): readonly string[] | undefined {
  const { status, code, failures, reason, counts } = report;
  const early = unjudged[status];
  if (early !== undefined) return [early, sentence(reason)];
  if (failures.length > 0) return failedWords(report);
  if (status === 'failed') return ['the run failed', sentence(reason)];
  if (code !== 'nothing_judged') return undefined;
  const skipped = counts?.skipped ?? 0;
  const all = skipped === 1 ? 'The only check does' : `All ${skipped} checks do`;
  return ['nothing was judged', skipped === 0 ? '' : `${all} not apply.`];
}

function failedWords({ failures, gaps, counts }: RunReport): readonly string[] {
  const asked = counts === undefined ? 0 : judgesIn(counts);
  const outage = outageOf(failures);
  const open = gaps.filter(isOpen);
  return [
    asked > failures.length
      ? `${failures.length} of ${asked} judges failed`
      : `${plural(failures.length, 'judge')} failed`,
    failedNames(failures),
    outage === undefined ? '' : `No answer in ${outage.text}.`,
    open.length === 0 ? '' : `The others found ${openCounts(open)}.`,
  ];
}

export interface Outage {
  /** Each call that got no answer, the first one first. */
  readonly tries: readonly Try[];
  /** How many there were, and when: `3 tries, 14:02:11 to 14:05:40 UTC`. */
  readonly text: string;
}

export function outageOf(failures: readonly Pick<AssessmentReport, 'tries'>[]): Outage | undefined {
  // judges that share a call share its tries
  const all = failures.flatMap(({ tries = [] }) => tries);
  const each = new Map(all.map((one) => [`${one.at} ${one.durationMs} ${one.what}`, one]));
  const tries = [...each.values()].sort((a, b) => a.at.localeCompare(b.at));
  const [first] = tries;
  if (first === undefined) return undefined;
  const end = Math.max(...tries.map(({ at, durationMs }) => Date.parse(at) + durationMs));
  const until = clockText(new Date(end).toISOString());
  const text = `${plural(tries.length, 'try', 'tries')}, ${clockText(first.at)} to ${until} UTC`;
  return { tries, text };
}

function judgesIn(counts: NonNullable<RunReport['counts']>): number {
  return counts.passed + counts.failed + counts.undecided + counts.errored;
}

const mostNamed = 2;

function failedNames(failures: readonly AssessmentReport[]): string {
  const names = [...new Set(failures.map(({ id, criterion }) => id ?? criterion))];
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  const shown = names.slice(0, mostNamed);
  const listed = more === '' ? shown.join(' and ') : `${shown.join(', ')}${more}`;
  return `${listed} stopped with an error, so nobody judged what ${names.length === 1 ? 'it asks' : 'they ask'}.`;
}

function broken(report: RunReport): string {
  const violated = report.coverage.filter((entry) => coverageWord(entry) === 'violated').length;
  if (violated === 0) return '';
  return `${violated} of ${plural(requirementCount(report), 'requirement')} ${violated === 1 ? 'is' : 'are'} not met.`;
}

function emptyFiles(report: RunReport): string[] {
  const empty = report.gaps.filter(
    (gap) => isOpen(gap) && /(?:^|-)empty-(?:content|output)$/.test(gap.criterionId ?? ''),
  );
  const named = empty.slice(0, mostNamed).map((gap) => gapDescription(gap, report));
  if (empty.length > mostNamed)
    return [`${named.join(', ')} and ${empty.length - mostNamed} more.`];
  return named.map(sentence);
}

function notReviewed({ notReviewed: left }: RunReport): string[] {
  if (left.length === 0) return [];
  return [`${plural(left.length, 'file')} ${left.length === 1 ? 'was' : 'were'} not reviewed.`];
}

/** Judges or people took them out of the count. */
function setAside({ gaps }: RunReport): string[] {
  const parts = (['disputed', 'waived'] as const)
    .map((standing) => [standing, gaps.filter((gap) => gap.standing === standing).length] as const)
    .filter(([, count]) => count > 0)
    .map(
      ([standing, count]) => `${plural(count, 'gap')} ${count === 1 ? 'is' : 'are'} ${standing}`,
    );
  return parts.length === 0 ? [] : [`${parts.join(', ')}.`];
}

/** The worst first: `17 major gaps, 3 minor`. */
export function gapCounts(open: readonly Gap[]): string {
  const counts = (['critical', 'major', 'minor'] as const)
    .map((severity) => [severity, countOf(open, severity)] as const)
    .filter(([, count]) => count > 0);
  return counts
    .map(([severity, count], index) =>
      index === 0 ? plural(count, `${severity} gap`) : `${count} ${severity}`,
    )
    .join(', ');
}

function openText(open: readonly Gap[]): string {
  return `${openCounts(open)} ${open.length === 1 ? 'is' : 'are'} open`;
}

function openCounts(open: readonly Gap[]): string {
  return open.length === 0 ? 'no gap' : gapCounts(open);
}

/** A run of one review says what that review lacks. */
function ownReason({ reviews, code, reason }: RunReport): string {
  const isSingle = reviews.length === 1 && code === 'iterations';
  return isSingle ? (reviews[0]?.decision.reason ?? reason) : reason;
}

function by({ decidedBy }: Pick<RunReport, 'decidedBy'>): string {
  return decidedBy === undefined ? '' : ` by ${decidedBy}`;
}

function sentence(text: string): string {
  // the record of a run has a code as its reason
  const said = /^[a-z]+(?:_[a-z]+)+$/.test(text) ? text.replaceAll('_', ' ') : text.trim();
  if (said === '') return '';
  const begun = `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
  return /[.!?:…]["')\]]?$/.test(begun) ? begun : `${begun}.`;
}
