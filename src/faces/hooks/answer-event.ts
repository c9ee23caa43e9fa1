import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { shortList } from '../../core/plural.js';
import { systemClock } from '../../ports/clock.js';
import type { AgentEvent, GateReply } from './agent-event.js';
import { beginTurn, failureMessage, withNote } from './agent-reason.js';
import { hookErrors } from './errors.js';
import { noVerdict } from './gate-verdict.js';
import { newSession, type SessionState, type SessionTree, versionOf } from './session-state.js';
import type { SessionStore } from './session-store.js';
import { type GateOptions, type Known, type Step, stopStep } from './stop-step.js';

/** How long to wait for another hook of the session, in milliseconds. */
const patience = { start: 5000, prompt: 5000, stop: 0 };

/** The person is told what goes wrong. It neither approves nor blocks. */
export async function answerEvent(event: AgentEvent, options: GateOptions): Promise<GateReply> {
  const { kind, session } = event;
  if (kind === 'other') return { kind: 'silent' };
  const { store } = options;
  try {
    const reply = await store.exclusively(session, patience[kind], () => inSession(event, options));
    if (reply !== undefined) return reply;
    const why = 'another hook of the session works';
    const told = kind === 'stop' && (await store.isFirst(session, why));
    await note(event, options, { decision: told ? 'tell' : 'silent', why });
    return told ? { kind: 'tell', message: busyMessage } : { kind: 'silent' };
  } catch (error) {
    const code = error instanceof ReviewLoopError ? error.code : hookErrors.hook_failed.code;
    const message = failureMessage(noVerdict(code, messageOf(error)));
    await note(event, options, { decision: 'tell', why: message });
    return { kind: 'tell', message };
  }
}

const busyMessage =
  'reviewloop: this hook reviewed nothing, because another hook of the same session reviews at the ' +
  'same time; its answer counts. If the gate is set up twice, remove one of the two.';

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

async function inSession(event: AgentEvent, options: GateOptions): Promise<GateReply> {
  const { store, others = [], clock = systemClock } = options;
  const known = await store.read(event.session);
  const at = new Date(clock.now()).toISOString();
  const before = known ?? newSession({ agent: event.agent, at, startedBy: event.name });
  const state = { ...beginTurn(before, event), seen: at, roots: [...others] };
  const step = await stepOf(event, { known: known !== undefined, state }, options);
  await store.write(event.session, step.state);
  await note(event, options, {
    decision: step.reply.kind,
    version: step.version,
    runId: step.version === undefined ? undefined : step.state.last?.runId,
    why: step.why ?? step.reply.message,
  });
  return step.reply;
}

async function stepOf(event: AgentEvent, seen: Known, options: GateOptions): Promise<Step> {
  const off = await options.store.off();
  if (off !== undefined) return whileOff(event, seen.state, { off, store: options.store });
  if (event.kind === 'stop')
    return toldEarlier(event, await stopStep(event, seen, options), options);
  const silent: GateReply = { kind: 'silent' };
  if (seen.known && seen.state.start !== undefined) return { state: seen.state, reply: silent };
  const start = await options.trees.save();
  return { state: await continued(event, { ...seen.state, start }, options), reply: silent };
}

/** A gate that is off says so once in a session. */
async function whileOff(
  { session }: AgentEvent,
  state: SessionState,
  { off, store }: { readonly off: string; readonly store: SessionStore },
): Promise<Step> {
  if (!(await store.isFirst(session, 'the gate is off')))
    return { state, reply: { kind: 'silent' }, why: 'the gate is off' };
  const message = `reviewloop: the gate is off, nothing is reviewed (${off}). Switch it on with \`reviewloop hook on\`.`;
  return { state, reply: { kind: 'tell', message } };
}

/**
 * An agent may call one piece of work by several sessions, as after `/clear`: then the session
 * begins where the earlier one did. Any other session only remembers that there is open work, for
 * {@link toldEarlier}.
 */
async function continued(
  { session, continues = false }: AgentEvent,
  state: SessionState & { readonly start: SessionTree },
  { store }: GateOptions,
): Promise<SessionState> {
  const earlier = await openWork(store, session, versionOf(state.start));
  if (earlier === undefined) return state;
  const from = [earlier.name, ...earlier.state.from].slice(0, 100);
  if (!continues) return { ...state, from, earlier: earlier.name };
  const { start, last, prompt, earlier: before } = earlier.state;
  return {
    ...state,
    from,
    ...(start !== undefined && { start }),
    ...(last !== undefined && { last }),
    ...(prompt !== undefined && state.prompt === undefined && { prompt }),
    ...(before !== undefined && { earlier: before }),
  };
}

/** The last session with work that no stop has decided, and that no later session took on. */
async function openWork(store: SessionStore, session: string, version: string) {
  const others = await store.others(session);
  const done = new Set(others.flatMap(({ state }) => (state.open ? [] : state.from)));
  return others.find(
    ({ name, state: { open, start, ended } }) =>
      open &&
      !done.has(name) &&
      start !== undefined &&
      versionOf(start) !== version &&
      ended !== version,
  );
}

async function toldEarlier(
  { session }: AgentEvent,
  step: Step,
  { store, trees }: GateOptions,
): Promise<Step> {
  const { earlier, ...state } = step.state;
  if (earlier === undefined || state.start === undefined) return step;
  const found = (await store.others(session)).find(({ name }) => name === earlier)?.state;
  if (found?.start === undefined || !found.open) return { ...step, state };
  const files = await trees.changed(found.start.id, state.start.id).catch(() => undefined);
  if (files?.length === 0) return { ...step, state };
  const names = shortList(files?.map(({ path }) => path) ?? ['files']);
  const note = `reviewloop: NOT REVIEWED: an earlier session (${found.at}) had no end, and since it began these changed: ${names}. Review them with \`reviewloop review FILES\`.`;
  return { ...step, state, reply: withNote(step.reply, note) };
}
