import type { GateReply } from './agent-event.js';
import {
  agentAdvice,
  agentReason,
  failureMessage,
  failureReason,
  openMessage,
  type ReasonOptions,
  waitingMessage,
} from './agent-reason.js';
import type { GateVerdict } from './gate-verdict.js';
import type { SessionState } from './session-state.js';

export interface GateLimits {
  /** The maximum number of blocks in one turn. */
  readonly maxBlocks: number;
  /** What happens if a judge fails. */
  readonly onFailure: 'tell' | 'block';
}

export interface ReviewedVersion {
  /** The digest of the files. */
  readonly version: string;
  readonly verdict: GateVerdict;
}

export interface StopAnswer {
  readonly state: SessionState;
  readonly reply: GateReply;
}

/**
 * Never blocks twice for the same open gaps or the same version, never more than `maxBlocks` times
 * in a turn, and never silently lets through what was not approved.
 */
export function decideStop(
  state: SessionState,
  { version, verdict }: ReviewedVersion,
  options: GateLimits & ReasonOptions,
): StopAnswer {
  const judged = withVerdict(state, version, verdict);
  if (verdict.kind === 'approved') return withAdvice(judged, verdict, options);
  if (verdict.kind === 'waiting')
    return { state: judged, reply: { kind: 'tell', message: waitingMessage(verdict) } };
  if (verdict.kind === 'none') return decideFailure(judged, { version, verdict }, options);
  const set = gapSet(verdict);
  const repeated = state.blockedGaps.includes(set) || wasOpen(state, version);
  const message = openMessage(verdict, repeated ? 'repeated' : 'limit');
  if (repeated || state.blocks >= options.maxBlocks)
    return { state: judged, reply: { kind: 'tell', message } };
  return {
    state: { ...judged, blocks: state.blocks + 1, blockedGaps: [...state.blockedGaps, set] },
    reply: {
      kind: 'block',
      reason: agentReason(verdict, options),
      ...(verdict.forPerson.length > 0 && { message: waitingMessage(verdict) }),
    },
  };
}

/** What an approved version leaves open is said to the agent once; it counts as a block. */
function withAdvice(
  state: SessionState,
  verdict: GateVerdict,
  options: GateLimits & ReasonOptions,
): StopAnswer {
  const { left = [] } = verdict;
  const reply = approved(verdict);
  const set = gapSet({ gaps: left });
  if (left.length === 0 || state.blocks >= options.maxBlocks || state.blockedGaps.includes(set))
    return { state, reply };
  return {
    state: { ...state, blocks: state.blocks + 1, blockedGaps: [...state.blockedGaps, set] },
    reply: { ...reply, advice: agentAdvice(left, options) },
  };
}

/** An approval is one line, so that the person notices a gate that is missing. */
function approved({ runId, summary, forPerson }: GateVerdict): GateReply {
  if (summary === undefined && forPerson.length === 0) return { kind: 'silent' };
  const what = summary ?? (runId === undefined ? 'nothing to review' : 'approved');
  const [first, ...more] = forPerson;
  const message = first === undefined ? what : [`${what}.`, first, ...more].join(' ');
  return { kind: 'tell', message: `reviewloop: ${message}` };
}

function decideFailure(
  state: SessionState,
  { version, verdict }: ReviewedVersion,
  { onFailure, maxBlocks }: GateLimits,
): StopAnswer {
  const message = failureMessage(verdict);
  const mayBlock =
    onFailure === 'block' &&
    state.blocks < maxBlocks &&
    !state.failureBlocked &&
    !state.blockedFailures.includes(version);
  if (!mayBlock) return { state, reply: { kind: 'tell', message } };
  return {
    state: {
      ...state,
      blocks: state.blocks + 1,
      failureBlocked: true,
      blockedFailures: [...state.blockedFailures, version].slice(-100),
    },
    reply: { kind: 'block', reason: failureReason(verdict), message },
  };
}

function wasOpen({ last }: SessionState, version: string): boolean {
  return last?.kind === 'open' && last.version === version;
}

function withVerdict(state: SessionState, version: string, verdict: GateVerdict): SessionState {
  const { kind, runId, gaps, commands, byPrompt } = verdict;
  return {
    ...state,
    last: {
      version,
      ...(byPrompt && state.prompt !== undefined && { prompt: state.prompt }),
      kind,
      ...(runId !== undefined && { runId }),
      open: gaps.length,
      commands,
    },
  };
}

function gapSet({ gaps }: Pick<GateVerdict, 'gaps'>): string {
  return gaps
    .map(({ id }) => id)
    .sort()
    .join(' ');
}
