import { join } from 'node:path';
import { messageOf, ReviewLoopError } from '../../../core/errors.js';
import { type Gap, isOpen, severityAtLeast } from '../../../core/gap.js';
import { plural, shortList } from '../../../core/plural.js';
import { requirementPrefix } from '../../../core/scores.js';
import { changedStates } from '../../../node/git/save-tree.js';
import { type SavedTrees, savedTrees } from '../../../node/git/saved-trees.js';
import type { StoreFiles } from '../../../node/store-file.js';
import { parseSettings } from '../../cli-kit/flags/command.js';
import type { Io } from '../../cli-kit/io.js';
import { folderStore } from '../../cli-kit/open-store.js';
import { configuredProvider } from '../../cli-kit/provider/provider-choice.js';
import {
  decideCommand,
  mayOverride,
  shortIdOf,
  waitingCommand,
} from '../../cli-kit/show/next-command.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import type { Config } from '../../config/config.js';
import { honestWorkIn } from '../../config/load-allowed-secrets.js';
import { type LoadedConfig, loadConfig } from '../../config/load-config.js';
import { hookErrors } from '../../hooks/errors.js';
import { type GateVerdict, noVerdict } from '../../hooks/gate-verdict.js';
import type { SessionReview, SessionReviewResult } from '../../hooks/stop-step.js';
import { gapDescription, gapsByFile, placeOf } from '../../reports/gap-order.js';
import { storedReport } from '../../reports/run-folder.js';
import type { AssessmentReport, RunReport } from '../../reports/run-report.js';
import { reviewFlags } from '../review/review-flags.js';
import type { Since } from '../review/review-settings.js';
import { runReview } from '../review/run-review.js';
import { sinceStart } from '../review/since-start.js';
import { defaultSeconds } from './hook-deadline.js';
import {
  leftFolders,
  type SessionTask,
  type SessionWork,
  sessionTask,
  sessionWork,
} from './session-work.js';

export interface ReviewSessionOptions {
  readonly io: Io;
  /** The program's entry file, which runs as the watchdog. @default no watchdog */
  readonly entry: URL | undefined;
  /** Receives the time limit as soon as the configuration is known, in seconds. */
  readonly onLimit: (seconds: number) => void;
}

/** Every failure is a verdict of the kind `none`. */
export async function reviewSession(
  review: SessionReview,
  options: ReviewSessionOptions,
): Promise<SessionReviewResult> {
  let limits: SessionReviewResult['limits'];
  try {
    const loaded = await loadConfig(review.root);
    const { hook = {} } = loaded.config;
    limits = {
      ...(hook.maxBlocks !== undefined && { maxBlocks: hook.maxBlocks }),
      ...(hook.onFailure !== undefined && { onFailure: hook.onFailure }),
    };
    if (hook.timeoutSeconds !== undefined) options.onLimit(hook.timeoutSeconds);
    return { verdict: await judge(review, loaded, options), limits };
  } catch (error) {
    const code = error instanceof ReviewLoopError ? error.code : hookErrors.hook_failed.code;
    const changed = changedStates(review.start.judging, review.now.judging);
    const forPerson = note('The session changed what it is judged by', changed);
    return { verdict: { ...noVerdict(code, messageOf(error)), forPerson }, limits };
  }
}

async function judge(
  { root, start, now, prompt }: SessionReview,
  loaded: LoadedConfig,
  { io, entry }: ReviewSessionOptions,
): Promise<GateVerdict> {
  const { config, file } = loaded;
  const honest = honestWorkIn(root, loaded, root);
  const folder = join(root, '.reviewloop');
  const store = folderStore(folder);
  const saved = join(folder, 'sessions', 'trees');
  const trees = savedTrees({ root, store: saved, signal: io.signal });
  const asksModel = configuredProvider(config) !== undefined;
  const task = await sessionTask(root, config, { prompt, asksModel });
  const work = await sessionWork(trees, {
    root,
    start: start.id,
    now: now.id,
    exclude: config.hook?.exclude ?? [],
    own: [...task.files, ...(file === undefined ? [] : [file])],
    judging: [...Object.keys(now.judging ?? {}), ...changedStates(start.judging, now.judging)],
    asksModel,
  });
  const hidden = await hiddenFrom(trees, { start, now, work });
  const notes = notesOf(work, hidden);
  const told = hidden.excluded.length > 0 ? [] : work.excluded;
  const [excluded] = note('Not reviewed, because hook.exclude names them', told);
  const once = excluded === undefined ? {} : { excluded };
  const about = { files: store.files, byPrompt: task.byPrompt, notes };
  if (work.changed.length === 0) return { ...ofAll(withoutWork(notes), hidden), once };
  const since: Since = {
    root,
    trees: saved,
    start: start.id,
    now: now.id,
    changed: [...work.changed],
    renamed: { ...work.renamed },
    around: [...work.around],
    whole: work.whole,
    commands: (config.commands ?? []).map(({ id }) => id),
  };
  try {
    const report = await reportOf(io, { root, store, entry, task, work, since, config, honest });
    const summary = config.hook?.approvals === 'silent' ? {} : { summary: summaryOf(report, work) };
    return { ...ofAll(await verdictOf(report, about), hidden), once, ...summary };
  } catch (error) {
    if (!(error instanceof ReviewLoopError) || error.code !== 'no_reviewers') throw error;
    const what = ['No criterion fits what changed.', ...notes].join(' ');
    return { ...noVerdict(hookErrors.nothing_to_review.code, what), once };
  }
}

function withoutWork(notes: readonly string[]): GateVerdict {
  const reason = 'no file of the work changed';
  const verdict = noVerdict(hookErrors.nothing_to_review.code, reason);
  return { ...verdict, kind: 'approved', forPerson: [...notes] };
}

/** Nothing is approved if something changed that no judge could see. */
function ofAll(verdict: GateVerdict, { nested, unsaved, ignored, excluded }: Hidden): GateVerdict {
  const unseen = [nested, unsaved, ignored, excluded].some((paths) => paths.length > 0);
  if (!unseen || verdict.kind !== 'approved') return verdict;
  const reason = 'no judge can see what is named here. Look at it, then begin a new session.';
  const none = noVerdict(hookErrors.unseen_changes.code, reason);
  return { ...none, forPerson: verdict.forPerson };
}

interface Parts {
  readonly root: string;
  readonly store: StoreHandle;
  readonly entry: URL | undefined;
  readonly task: SessionTask;
  readonly work: SessionWork;
  readonly since: Since;
  readonly config: Config;
  readonly honest: ReturnType<typeof honestWorkIn>;
}

async function reportOf(io: Io, parts: Parts): Promise<RunReport> {
  const { root, store, entry, task, work, since, config, honest } = parts;
  const seconds = Math.max(1, (config.hook?.timeoutSeconds ?? defaultSeconds) - 3);
  const argv = [
    ...['--format', 'json', '--quiet'],
    ...['--check-timeout', String(Math.min(60, seconds))],
    ...task.argv,
  ];
  let text = '';
  const quiet: Io = {
    ...io,
    cwd: root,
    out: async (part) => {
      text += part;
    },
  };
  await runReview(quiet, {
    settings: parseSettings(reviewFlags, argv),
    store,
    shownFrom: root,
    example: false,
    watchdogEntry: entry,
    session: {
      inputs: work.inputs,
      since,
      judge: (reviewers) => sinceStart(reviewers, since, honest),
    },
  });
  const { runId } = JSON.parse(text) as { readonly runId: string };
  const report = await storedReport(store.files, runId);
  if (report === undefined) throw new Error(`the report of run ${runId} is missing`);
  return report;
}

interface Hidden {
  readonly judging: readonly string[];
  readonly nested: readonly string[];
  readonly unsaved: readonly string[];
  readonly rules: readonly string[];
  /** What git ignores because of these changes, with the file of the rule. */
  readonly ignored: readonly string[];
  /** What `hook.exclude` names, if the configuration changed. */
  readonly excluded: readonly string[];
}

async function hiddenFrom(
  trees: SavedTrees,
  { start, now, work }: Pick<SessionReview, 'start' | 'now'> & { readonly work: SessionWork },
): Promise<Hidden> {
  const judging = changedStates(start.judging, now.judging);
  const ignored = (await trees.hidden(start, now)).filter(({ path }) => !leftFolders.test(path));
  const configured = [...judging, ...work.ownChanged].some((path) => configures.test(path));
  return {
    judging,
    nested: changedStates(start.nested, now.nested),
    unsaved: changedStates(start.unsaved, now.unsaved),
    rules: changedStates(start.ignoring, now.ignoring),
    ignored: ignored.map(({ path, rules }) => `${path} (${rules})`),
    excluded: configured ? work.excluded : [],
  };
}

/** A configuration, or a module that it may import. */
const configures = /(^|\/)reviewloop\.config\.\w+$|\.[cm]?[jt]s$/;

function notesOf(
  { ownChanged, changed, inputs, left }: SessionWork,
  { judging, nested, unsaved, rules, ignored, excluded }: Hidden,
): string[] {
  const own = changed.filter((path) => /(^|\/)\.gitignore$/.test(path));
  const skipped = [...inputs.notReviewed, ...left].map(({ path, reason }) => `${path} (${reason})`);
  return [
    ...note('The session changed what it is judged by', [...new Set([...judging, ...ownChanged])]),
    ...note('The session changed which files git ignores', [...new Set([...own, ...rules])]),
    ...note('Not reviewed, because rules of this session hide them', ignored),
    ...note('Not reviewed, because hook.exclude of this session names them', excluded),
    ...note('Not reviewed, because they are repositories of their own', nested),
    ...note('Not reviewed, because git cannot read them', unsaved),
    ...note('Not reviewed', skipped),
  ];
}

function summaryOf({ reviews }: RunReport, { inputs }: SessionWork): string {
  const { assessments = [] } = reviews.find(({ best }) => best) ?? {};
  const checks = assessments.filter(({ verdict }) => verdict === 'pass' || verdict === 'fail');
  return `approved (${plural(inputs.sources.length, 'file')}, ${plural(checks.length, 'check')})`;
}

function note(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what}: ${shortList(names)}.`];
}

async function verdictOf(
  report: RunReport,
  about: {
    readonly files: StoreFiles;
    readonly byPrompt: boolean;
    readonly notes: readonly string[];
  },
): Promise<GateVerdict> {
  const shortId = await shortIdOf(about.files, report.runId);
  const open = report.gaps.filter(isOpen);
  const closable = open.filter(({ autoFixable }) => autoFixable);
  const kind = kindOf(report, closable);
  const gaps = kind === 'open' ? shownGaps(report, closable) : [];
  return {
    kind,
    code: report.code,
    reason: report.reason,
    runId: report.runId,
    gaps,
    ...(kind === 'approved' && closable.length > 0 && { left: shownGaps(report, closable) }),
    forPerson: [...(kind === 'none' ? [] : forPerson(report, kind)), ...about.notes],
    commands: commandsOf(report, shortId),
    byPrompt: about.byPrompt,
  };
}

function kindOf(report: RunReport, closable: readonly Gap[]): GateVerdict['kind'] {
  const { approved, status, failures, undecided } = report;
  if (approved || status === 'accepted') return 'approved';
  if (status === 'suspended' || status === 'rejected') return 'waiting';
  if (['cancelled', 'timed_out', 'failed'].includes(status)) return 'none';
  if (closable.some(({ severity }) => severityAtLeast(severity, 'major'))) return 'open';
  if (failures.length > 0) return 'none';
  if (undecided.some(({ mandatory }) => mandatory !== false)) return 'waiting';
  if (status === 'escalated') return 'waiting';
  return status === 'inconclusive' ? 'none' : 'open';
}

/** Those that an agent can close, worst first; without any, the reason. */
function shownGaps(report: RunReport, closable: readonly Gap[]): GateVerdict['gaps'] {
  if (closable.length === 0)
    return [
      { id: `reason:${report.code}`, severity: 'major', place: '', text: report.reason, fix: '' },
    ];
  const ranks = ['critical', 'major', 'minor'];
  return [...gapsByFile(closable)]
    .sort((a, b) => ranks.indexOf(a.severity) - ranks.indexOf(b.severity))
    .map((gap) => ({
      id: gap.id,
      severity: gap.severity,
      place: placeOf(gap),
      text: gapDescription(gap, report),
      fix: gap.suggestedFix,
      ...requirementOf(gap),
    }));
}

/** None if the description is about nothing else. */
function requirementOf({ affectedRequirement, criterionId = '' }: Gap): { requirement?: string } {
  return affectedRequirement === undefined || criterionId.startsWith(requirementPrefix)
    ? {}
    : { requirement: affectedRequirement };
}

function forPerson(report: RunReport, kind: GateVerdict['kind']): string[] {
  const { undecided, failures, requests = [], gaps, reason, status } = report;
  const lines = requests.map(({ question }) => question);
  if (status === 'rejected') lines.push(`a person rejected this version: ${reason}`);
  const asked = undecided.filter(({ mandatory }) => mandatory !== false);
  if (kind !== 'approved') lines.push(...asked.slice(0, 10).map(questionOf));
  if (asked.length > 10) lines.push(`${asked.length - 10} more are undecided.`);
  if (kind === 'open' && failures.length > 0)
    lines.push(`${plural(failures.length, 'judge')} failed: ${failures[0]?.text ?? ''}`);
  const stuck = gaps.filter((gap) => isOpen(gap) && !gap.autoFixable);
  if (kind !== 'approved')
    lines.push(...stuck.slice(0, 5).map((gap) => `${placeOf(gap)} ${gap.description}`.trim()));
  if (kind === 'waiting' && lines.length === 0) lines.push(reason);
  return lines;
}

function questionOf({ id, criterion, question, text }: AssessmentReport): string {
  return `${id ?? criterion}: ${question ?? text}`;
}

function commandsOf(report: RunReport, shortId: string): string[] {
  if (report.status === 'suspended') return [waitingCommand(report, shortId, '')];
  const decide = decideCommand(report, shortId, '');
  const override = `reviewloop answer ${shortId} override --reason "..."`;
  return [...(decide === undefined ? [] : [decide]), ...(mayOverride(report) ? [override] : [])];
}
