import type { AgentEvent, AgentFormat, AgentName } from './agent-event.js';
import { claudeCode, codex, copilot, cursor, gemini, vsCode } from './agent-formats.js';

/** An event is compared in this order; Claude Code has no mark of its own. */
const formats: readonly AgentFormat[] = [cursor, vsCode, gemini, codex, copilot, claudeCode];

/** Returns the formats of an agent. */
export function formatOf(name: AgentName): AgentFormat {
  return formats.find((format) => format.name === name) ?? claudeCode;
}

/** What the standard input of a hook contained. */
export type ReadEvent =
  | { readonly format: AgentFormat; readonly event: AgentEvent }
  /** Why it is not an event, in words. */
  | { readonly format: AgentFormat; readonly event?: undefined; readonly why: string };

/**
 * Reads the event that an agent wrote to the standard input. Without a name, the event shows which
 * agent sent it. A byte order mark is allowed.
 *
 * @param name - The agent, for answers to what is not an event. @default Claude Code
 */
export function readEvent(text: string, name?: AgentName): ReadEvent {
  const named = name === undefined ? undefined : formatOf(name);
  const given = objectIn(text);
  if (typeof given === 'string') return { format: named ?? claudeCode, why: given };
  const seen = formats.find((format) => format.sends(given));
  if (seen === undefined)
    return {
      format: named ?? claudeCode,
      why: 'the event is of no known agent; its hook_event_name shows which',
    };
  const format = named !== undefined && areAlike(named, seen) ? named : seen;
  const event = format.read(given);
  return event === undefined
    ? { format, why: `an event of ${format.name} needs the texts ${format.needs}` }
    : { format, event };
}

/**
 * They have the same events and answers. Otherwise the event decides: Cursor also starts the hooks
 * of Claude Code.
 */
function areAlike(one: AgentFormat, other: AgentFormat): boolean {
  const twins: readonly AgentFormat[] = [claudeCode, codex];
  if (one === copilot && other === claudeCode) return true;
  return one === other || (twins.includes(one) && twins.includes(other));
}

function objectIn(text: string): Readonly<Record<string, unknown>> | string {
  const plain = text.replace(/^\ufeff/, '').trim();
  if (plain === '') return 'the standard input is empty';
  let value: unknown;
  try {
    value = JSON.parse(plain);
  } catch {
    return 'the standard input is not JSON';
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ...value }
    : 'the standard input is not a JSON object';
}
