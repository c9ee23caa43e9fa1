import { plural } from '../../core/plural.js';
import { oneLine } from '../../node/terminal/sanitise.js';
import type { RunReport } from '../reports/run-report.js';
import type { GateReply } from './agent-event.js';
import { wayOut } from './agent-reason.js';
import type { GateVerdict } from './gate-verdict.js';

/** The longest part of a message, in characters. */
const longest = 600;

export function failureMessage(verdict: GateVerdict): string {
  return `${failureReason(verdict)} ${notesOf(verdict)}${wayOut(verdict)}`;
}

/** Names no command of a person. */
export function failureReason({ code, reason }: Pick<GateVerdict, 'code' | 'reason'>): string {
  return `reviewloop: NO VERDICT (${code}), not approved: ${cut(reason)}`;
}

/** Told once if somebody decided since the last stop. */
export function decidedMessage({
  acceptance,
  reason,
}: Pick<RunReport, 'acceptance' | 'reason'>): string {
  const who = acceptance === undefined ? 'approved' : `accepted by ${oneLine(acceptance.by)}`;
  return `reviewloop: ${who} since the last turn: ${cut(acceptance?.reason ?? reason)}`;
}

export function openMessage(verdict: GateVerdict, why: 'repeated' | 'limit'): string {
  const { gaps } = verdict;
  const first = gaps[0];
  const example =
    first === undefined || first.text === '' ? '' : ` The first: ${first.place} ${cut(first.text)}`;
  const because =
    why === 'repeated' ? 'left open by the agent' : 'the limit of blocks in a turn is reached';
  return `reviewloop: NOT APPROVED, ${plural(gaps.length, 'open gap')}; ${because}.${example} ${notesOf(verdict)}${wayOut(verdict)}`;
}

export function waitingMessage(verdict: GateVerdict): string {
  return `reviewloop: NOT APPROVED YET, a person has to decide: ${notesOf(verdict)}${wayOut(verdict)}`;
}

export function withNote(reply: GateReply, note: string): GateReply {
  const message = reply.message === undefined ? note : `${reply.message} ${note}`;
  return { ...reply, kind: reply.kind === 'silent' ? 'tell' : reply.kind, message };
}

function notesOf({ forPerson }: GateVerdict): string {
  return forPerson.map((line) => `${cut(line)} `).join('');
}

function cut(text: string): string {
  const line = oneLine(text);
  const short = line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}
