import { join } from 'node:path';
import { plural } from '../../core/plural.js';
import type { SavedTrees } from '../../node/git/saved-trees.js';
import { folderFiles } from '../../node/store-file.js';
import { type Clock, systemClock } from '../../ports/clock.js';
import { type Random, systemRandom } from '../../ports/random.js';
import { storedReport } from '../reports/run-folder.js';
import type { AgentEvent, GateReply } from './agent-event.js';
import {
  decidedMessage,
  failureMessage,
  openMessage,
  waitingMessage,
  withNote,
} from './agent-reason.js';
import { decideStop, type GateLimits } from './decide-stop.js';
import { hookErrors } from './errors.js';
import { type GateVerdict, noVerdict } from './gate-verdict.js';
import { type SessionState, type SessionTree, versionOf } from './session-state.js';
import type { SessionStore } from './session-store.js';

/** Only a stop that does not block ends the work of the session. */
export async function stopStep(
  event: AgentEvent,
  seen: Known,
  options: GateOptions,
): Promise<Step> {
  const now = await options.trees.save();
  const { prompt } = seen.state;
  const asked = event.task === undefined ? seen.state : { ...seen.state, prompt: event.task };
  const judged = await decidedStep(event, { ...seen, state: asked, now }, options);
  const decided =
    event.task === undefined ? judged : { ...judged, state: { ...judged.state, prompt } };
  const step = await withForeign(decided, now, { event, store: options.store });
  const { reply, version } = step;
  const state = withAnswer(event, step, options);
  if (reply.kind === 'block' || step.unfinished) return { ...step, state };
  return {
    ...step,
    state: { ...state, open: false, ...(version !== undefined && { ended: version }) },
  };
}

/** How soon a second hook of one stop comes after the first, in milliseconds; no agent is so quick. */
const atOnce = 1_500;

const stopName = ({ name, turn, continued, task }: AgentEvent): string =>
  JSON.stringify([name.toLowerCase(), turn, continued, task]);

/** Several programs read one file of hooks, and some read two: the first hook of a stop answers. */
function isSecondHook(
  event: AgentEvent,
  { state: { answered }, version }: { readonly state: SessionState; readonly version: string },
  { clock = systemClock }: GateOptions,
): boolean {
  return (
    answered !== undefined &&
    clock.now() - answered.at <= atOnce &&
    answered.stop === stopName(event) &&
    answered.version === version
  );
}

function withAnswer(
  event: AgentEvent,
  { state, version, reply }: Step,
  { clock = systemClock }: GateOptions,
): SessionState {
  if (version === undefined || reply.kind === 'silent') return state;
  return { ...state, answered: { stop: stopName(event), version, at: clock.now() } };
}

/** Tells once in a session about files of others in the folder of this package. */
async function withForeign(
  step: Step,
  { own = {} }: SessionTree,
  { event, store }: { readonly event: AgentEvent; readonly store: SessionStore },
): Promise<Step> {
  const before = step.state.start?.own;
  const changed = Object.keys(own).filter((path) => before?.[path] !== own[path]);
  if (before === undefined || changed.length === 0) return step;
  if (!(await store.isFirst(event.session, 'files of others'))) return step;
  const names = changed.slice(0, 5).join(', ');
  const note = `reviewloop: NOT REVIEWED, because they are in its own folder: ${names}.`;
  return { ...step, reply: withNote(step.reply, note) };
}

async function decidedStep(
  event: AgentEvent,
  { known, state, now }: Known & { readonly now: SessionTree },
  options: GateOptions,
): Promise<Step> {
  const saved = state.start ?? (known ? undefined : await lastCommit(now, options));
  const version = versionOf(apart(now, options));
  if (saved === undefined) return withoutStart(state, now, version);
  const begun = { ...state, start: saved };
  const start = apart(saved, options);
  if (versionOf(start) === version) return { state: begun, reply: { kind: 'silent' }, version };
  if (event.unfinished !== undefined) return notYet(event, { state: begun, version }, options);
  const decided = await decidedBefore(begun, version, options.store);
  // what a person decided since the first hook is told all the same
  const isNew = decided !== undefined && decided.state !== begun;
  if (!isNew && isSecondHook(event, { state, version }, options))
    return { state, reply: { kind: 'silent' }, version, why: 'a second hook of the same stop' };
  if (decided !== undefined) return { ...decided, version };
  const { random = systemRandom } = options;
  const given = { root: options.root, start, now: apart(now, options), prompt: state.prompt };
  const reviewed = await reviewedAsItIs(given, options);
  const verdict = await withOnce(reviewed.verdict, event, options.store);
  const { limits } = reviewed;
  const decision = decideStop(
    begun,
    { version: reviewed.version, verdict },
    {
      maxBlocks: limits?.maxBlocks ?? 5,
      onFailure: limits?.onFailure ?? 'tell',
      nonce: random.nonce(),
    },
  );
  return { ...decision, version: reviewed.version, why: whyOf(verdict) };
}

function apart(tree: SessionTree, { root, others = [] }: GateOptions): SessionTree {
  const nested = Object.entries(tree.nested).filter(([path]) => !others.includes(join(root, path)));
  return { ...tree, nested: Object.fromEntries(nested) };
}

/** Work that is not at its end is not reviewed. The person is told so once in a session. */
async function notYet(
  { session, unfinished = '' }: AgentEvent,
  { state, version }: { readonly state: SessionState; readonly version: string },
  { store }: GateOptions,
): Promise<Step> {
  const why = `not the end: ${unfinished}`;
  const approved = state.last?.kind === 'approved' && isAbout(state.last, state, version);
  const told = !approved && (await store.isFirst(session, why.replace(/\d+/g, '')));
  const message = `reviewloop: NOT REVIEWED, because ${unfinished}. What changed is reviewed at the next end of a turn without that.`;
  const reply: GateReply = told ? { kind: 'tell', message } : { kind: 'silent' };
  return { state, reply, version, why, unfinished: true };
}

type Reviewed = SessionReviewResult & { readonly version: string };

/**
 * Reviews the files as they are when the review ends: commands may write some. What changed during
 * the review is reviewed once more; if it changes again, there is no verdict.
 */
async function reviewedAsItIs(given: SessionReview, options: GateOptions): Promise<Reviewed> {
  let { now } = given;
  for (let again = false; ; again = true) {
    const version = versionOf(now);
    const result = await options.review({ ...given, now });
    if (result.verdict.kind !== 'approved') return { ...result, version };
    const after = apart(await options.trees.save(), options);
    if (versionOf(after) === version) return { ...result, version };
    if (again) {
      const { code } = hookErrors.changed_during_review;
      const files = await options.trees.changed(now.id, after.id);
      const names = files.slice(0, 5).map(({ path }) => path);
      const what = `the files changed while they were reviewed: ${names.join(', ') || 'what judges them'}`;
      return { ...result, verdict: noVerdict(code, what), version };
    }
    now = after;
  }
}

/** Adds what the person hears once in a session, the first time. */
async function withOnce(
  verdict: GateVerdict,
  { session }: AgentEvent,
  store: SessionStore,
): Promise<GateVerdict> {
  const notes: string[] = [];
  for (const [topic, text] of Object.entries(verdict.once ?? {}))
    if (await store.isFirst(session, topic)) notes.push(text);
  return { ...verdict, forPerson: [...verdict.forPerson, ...notes] };
}

/** Without an event before the first stop, the last commit counts as the start. */
async function lastCommit(
  now: SessionTree,
  { trees }: GateOptions,
): Promise<SessionTree | undefined> {
  const id = await trees.lastCommit();
  // a session that committed its work would look as if it changed nothing
  return id === undefined || id === now.id ? undefined : { ...now, id };
}

function withoutStart(state: SessionState, now: SessionTree, version: string): Step {
  const message = failureMessage(
    noVerdict(
      hookErrors.start_unknown.code,
      'the gate did not see the session begin, so it cannot tell what changed. ' +
        'It reviews what changes from now on; `reviewloop init` installs all hooks.',
    ),
  );
  return { state: { ...state, start: now }, reply: { kind: 'tell', message }, version };
}

/** None if a judge failed then, or a person has decided since. */
async function decidedBefore(
  state: SessionState,
  version: string,
  store: SessionStore,
): Promise<Step | undefined> {
  const { last } = state;
  if (last === undefined || !isAbout(last, state, version)) return undefined;
  const silent: GateReply = { kind: 'silent' };
  if (last.kind === 'approved') return { state, reply: silent };
  const report =
    last.runId === undefined
      ? undefined
      : await storedReport(folderFiles(store.folder), last.runId);
  if (report?.approved === true || report?.status === 'accepted')
    return {
      state: { ...state, last: { ...last, kind: 'approved' } },
      reply: { kind: 'tell', message: decidedMessage(report) },
    };
  if (last.kind === 'none') return undefined;
  // a person decided since, and what that leaves open is for the agent
  if (last.kind === 'waiting' && report?.undecided.length === 0 && report.status !== 'suspended')
    return undefined;
  const message = stillOpen(last, report?.reason ?? 'see the report of the run');
  return { state, reply: { kind: 'tell', message } };
}

type Last = NonNullable<SessionState['last']>;

function isAbout(last: Last, { prompt }: SessionState, version: string): boolean {
  return last.version === version && (last.prompt === undefined || last.prompt === prompt);
}

/** The version did not change since it was reviewed. */
function stillOpen({ kind, commands, open }: Last, reason: string): string {
  const verdict: GateVerdict = {
    ...noVerdict(kind, reason, commands),
    forPerson: kind === 'open' ? [] : [reason],
    gaps: Array.from({ length: open }, () => noGap),
  };
  return kind === 'open' ? openMessage(verdict, 'repeated') : waitingMessage(verdict);
}

const noGap: GateVerdict['gaps'][number] = { id: '', severity: '', place: '', text: '', fix: '' };

function whyOf({ kind, code, gaps, runId }: GateVerdict): string {
  const what = kind === 'open' ? plural(gaps.length, 'open gap') : `${kind}: ${code}`;
  return runId === undefined ? what : `${what}, run ${runId}`;
}

export interface SessionReview {
  readonly root: string;
  readonly start: SessionTree;
  readonly now: SessionTree;
  readonly prompt: string | undefined;
}

export interface SessionReviewResult {
  readonly verdict: GateVerdict;
  /** The limits in the configuration; missing if it could not be read. */
  readonly limits?:
    | { readonly [Name in keyof GateLimits]?: GateLimits[Name] | undefined }
    | undefined;
}

export interface GateOptions {
  readonly root: string;
  readonly store: SessionStore;
  readonly trees: Pick<SavedTrees, 'lastCommit' | 'changed'> & {
    readonly save: () => Promise<SessionTree>;
  };
  /** The other folders of the session, which are reviewed by themselves. @default none */
  readonly others?: readonly string[] | undefined;
  /** Reviews what changed. It ends in time, and it never rejects. */
  readonly review: (review: SessionReview) => Promise<SessionReviewResult>;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
  /** @default random UUIDs */
  readonly random?: Random | undefined;
}

export interface Step {
  readonly state: SessionState;
  readonly reply: GateReply;
  readonly version?: string | undefined;
  readonly why?: string | undefined;
  /** Whether the stop is not the end of the work. */
  readonly unfinished?: true | undefined;
}

/** `known`: whether the gate has seen the session before. */
export interface Known {
  readonly known: boolean;
  readonly state: SessionState;
}
