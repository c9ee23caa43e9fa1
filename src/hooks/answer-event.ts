import { messageOf, ReviewLoopError } from '../core/errors.js';
import { checkKeys } from '../core/options.js';
import { plural } from '../core/plural.js';
import type { SavedTree } from '../git/save-tree.js';
import type { SavedTrees } from '../git/saved-trees.js';
import { digestOfBytes } from '../node/files.js';
import { type Clock, systemClock } from '../ports/clock.js';
import { type Random, systemRandom } from '../ports/random.js';
import { storedReport } from '../reports/run-folder.js';
import type { AgentEvent, GateReply } from './agent-event.js';
import { beginTurn } from './begin-turn.js';
import { decideStop, type GateLimits } from './decide-stop.js';
import { hookErrors } from './errors.js';
import { type GateVerdict, noVerdict } from './gate-verdict.js';
import { decidedMessage, failureMessage, openMessage, waitingMessage } from './person-message.js';
import { newSession, type SessionState } from './session-state.js';
import type { SessionStore } from './session-store.js';

/** What the gate reviews: two states of a folder, and what the person asked for. */
export interface SessionReview {
  readonly root: string;
  readonly start: SavedTree;
  readonly now: SavedTree;
  readonly prompt: string | undefined;
}

/** The result of a review, with the limits of the project. */
export interface SessionReviewResult {
  readonly verdict: GateVerdict;
  /** The limits in the configuration; missing if it could not be read. */
  readonly limits?:
    | { readonly [Name in keyof GateLimits]?: GateLimits[Name] | undefined }
    | undefined;
}

/** Where and with what an event is answered. */
export interface GateOptions {
  readonly root: string;
  readonly store: SessionStore;
  readonly trees: SavedTrees;
  /** Reviews what changed. It ends in time, and it never rejects. */
  readonly review: (review: SessionReview) => Promise<SessionReviewResult>;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
  /** @default random UUIDs */
  readonly random?: Random | undefined;
}

/** How long a hook waits for another one of its session, in milliseconds. */
const patience = { start: 5000, prompt: 5000, stop: 0 };

/**
 * Answers an event of an agent. What goes wrong is told to the person: it is neither an approval nor
 * a reason to block.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export async function answerEvent(event: AgentEvent, options: GateOptions): Promise<GateReply> {
  checkKeys('answerEvent', options, ['root', 'store', 'trees', 'review', 'clock', 'random']);
  const { kind, session } = event;
  if (kind === 'other') return { kind: 'silent' };
  const { store } = options;
  try {
    const reply = await store.exclusively(session, patience[kind], () => inSession(event, options));
    if (reply !== undefined) return reply;
    await note(event, options, { decision: 'silent', why: 'another hook of the session works' });
    return { kind: 'silent' };
  } catch (error) {
    const code = error instanceof ReviewLoopError ? error.code : hookErrors.hook_failed.code;
    const message = failureMessage(noVerdict(code, messageOf(error)));
    await note(event, options, { decision: 'tell', why: message });
    return { kind: 'tell', message };
  }
}

interface Noted {
  readonly decision: GateReply['kind'];
  readonly version?: string | undefined;
  readonly runId?: string | undefined;
  readonly why?: string | undefined;
}

function note(
  { agent, name, session }: AgentEvent,
  { store, clock = systemClock }: GateOptions,
  noted: Noted,
): Promise<void> {
  const at = new Date(clock.now()).toISOString();
  return store.note({ at, session: store.nameOf(session), agent, event: name, ...noted });
}

/** An answer, the state to store, and a line for the log. */
interface Step {
  readonly state: SessionState;
  readonly reply: GateReply;
  readonly version?: string | undefined;
  readonly why?: string | undefined;
}

async function inSession(event: AgentEvent, options: GateOptions): Promise<GateReply> {
  const { store, clock = systemClock } = options;
  const known = await store.read(event.session);
  const at = new Date(clock.now()).toISOString();
  const before = known ?? newSession({ agent: event.agent, at, startedBy: event.name });
  const step = await stepOf(event, { known: known !== undefined, state: before }, options);
  await store.write(event.session, step.state);
  await note(event, options, {
    decision: step.reply.kind,
    version: step.version,
    runId: step.version === undefined ? undefined : step.state.last?.runId,
    why: step.why ?? step.reply.message,
  });
  return step.reply;
}

interface Known {
  /** Whether the gate has seen the session before. */
  readonly known: boolean;
  readonly state: SessionState;
}

async function stepOf(event: AgentEvent, seen: Known, options: GateOptions): Promise<Step> {
  const off = await options.store.off();
  const state = beginTurn(seen.state, event);
  if (off !== undefined) return whileOff(state, off);
  if (event.kind === 'stop') return stopStep(event, { ...seen, state }, options);
  if (seen.known) return { state, reply: { kind: 'silent' } };
  return { state: { ...state, start: await options.trees.save() }, reply: { kind: 'silent' } };
}

/** A gate that is off says so once in a session. */
function whileOff(state: SessionState, off: string): Step {
  if (state.toldOff) return { state, reply: { kind: 'silent' }, why: 'the gate is off' };
  const message = `reviewloop: the gate is off, nothing is reviewed (${off}). Switch it on with \`reviewloop hook on\`.`;
  return { state: { ...state, toldOff: true }, reply: { kind: 'tell', message } };
}

async function stopStep(
  { unfinished }: AgentEvent,
  { known, state }: Known,
  options: GateOptions,
): Promise<Step> {
  if (unfinished !== undefined)
    return { state, reply: { kind: 'silent' }, why: `not the end: ${unfinished}` };
  const now = await options.trees.save();
  const version = versionOf(now);
  const start = state.start ?? (known ? undefined : await lastCommit(now, options));
  if (start === undefined) return withoutStart(state, now, version);
  const begun = { ...state, start };
  if (versionOf(start) === version) return { state: begun, reply: { kind: 'silent' }, version };
  const decided = await decidedBefore(begun, version, options.store);
  if (decided !== undefined) return { ...decided, version };
  const { root, review, random = systemRandom } = options;
  const { verdict, limits } = await review({ root, start, now, prompt: state.prompt });
  const decision = decideStop(
    begun,
    { version, verdict },
    {
      maxBlocks: limits?.maxBlocks ?? 5,
      onFailure: limits?.onFailure ?? 'tell',
      nonce: random.nonce(),
    },
  );
  return { ...decision, version, why: whyOf(verdict) };
}

/** Without an event before the first stop, the last commit counts as the start. */
async function lastCommit(now: SavedTree, { trees }: GateOptions): Promise<SavedTree | undefined> {
  const id = await trees.lastCommit();
  // a session that committed its work would look as if it changed nothing
  return id === undefined || id === now.id ? undefined : { ...now, id };
}

function withoutStart(state: SessionState, now: SavedTree, version: string): Step {
  const message = failureMessage(
    noVerdict(
      hookErrors.start_unknown.code,
      'the gate did not see the session begin, so it cannot tell what changed. ' +
        'It reviews what changes from now on; `reviewloop init` installs all hooks.',
    ),
  );
  return { state: { ...state, start: now }, reply: { kind: 'tell', message }, version };
}

/**
 * Returns the answer for a version that was reviewed before, unless a judge failed then, or a person
 * has decided since.
 */
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
    last.runId === undefined ? undefined : await storedReport(store.folder, last.runId);
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

/** Returns what the person is told about a version that did not change since it was reviewed. */
function stillOpen({ kind, commands, open }: Last, reason: string): string {
  const verdict: GateVerdict = {
    ...noVerdict(kind, reason, commands),
    forPerson: [reason],
    gaps: Array.from({ length: open }, () => noGap),
  };
  return kind === 'open' ? openMessage(verdict, 'repeated') : waitingMessage(verdict);
}

const noGap: GateVerdict['gaps'][number] = { id: '', severity: '', place: '', text: '', fix: '' };

/** Returns a text that is equal for equal files. */
function versionOf({ id, nested, unsaved, ignoring }: SavedTree): string {
  const entries = [nested, unsaved, ignoring].flatMap((states) =>
    Object.entries(states).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  return entries.length === 0 ? id : `${id}-${digestOfBytes(JSON.stringify(entries)).slice(0, 16)}`;
}

/** Returns a verdict in a few words, for the log. */
function whyOf({ kind, code, gaps, runId }: GateVerdict): string {
  const what = kind === 'open' ? plural(gaps.length, 'open gap') : `${kind}: ${code}`;
  return runId === undefined ? what : `${what}, run ${runId}`;
}
