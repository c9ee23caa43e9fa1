import type { AgentEvent } from './agent-event.js';
import { withNote } from './person-message.js';
import { type SessionState, type SessionTree, versionOf } from './session-state.js';
import type { SessionStore } from './session-store.js';
import type { GateOptions, Step } from './stop-step.js';

/**
 * Returns the state of a session that begins. An agent may call one piece of work by several
 * sessions, as after `/clear`: then the session begins where the earlier one did. Any other session
 * only remembers that there is open work, for {@link toldEarlier}.
 */
export async function continued(
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

/** Returns the last session with work that no stop has decided, and that no later session took on. */
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

/** Adds what the person has to know about the open work of an earlier session. */
export async function toldEarlier(
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
  const names = files?.slice(0, 5).map(({ path }) => path) ?? ['files'];
  const more = (files?.length ?? 0) > 5 ? ` and ${(files?.length ?? 0) - 5} more` : '';
  const note = `reviewloop: NOT REVIEWED: an earlier session (${found.at}) had no end, and since it began these changed: ${names.join(', ')}${more}. Review them with \`reviewloop review FILES\`.`;
  return { ...step, state, reply: withNote(step.reply, note) };
}
