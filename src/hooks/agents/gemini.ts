import type { AgentEvent, AgentFormat } from '../agent-event.js';
import { blockDecision, continuesIn, sharedNeeds, textIn } from './members.js';

const kinds: Readonly<Record<string, AgentEvent['kind']>> = {
  SessionStart: 'start',
  BeforeAgent: 'prompt',
  AfterAgent: 'stop',
};

/** The formats of Gemini CLI: `SessionStart`, `BeforeAgent` and `AfterAgent`. */
export const gemini: AgentFormat = {
  name: 'gemini',
  needs: sharedNeeds,
  sends: ({ hook_event_name: name, timestamp, transcript_path: transcript }) =>
    name === 'AfterAgent' ||
    name === 'BeforeAgent' ||
    // Copilot begins a session without a transcript
    (name === 'SessionStart' && typeof timestamp === 'string' && transcript !== undefined),
  read: (given) => {
    const session = textIn(given, 'session_id');
    const folder = textIn(given, 'cwd');
    const name = textIn(given, 'hook_event_name');
    if (session === undefined || folder === undefined || name === undefined) return undefined;
    const prompt = textIn(given, 'prompt');
    return {
      agent: 'gemini',
      name,
      kind: kinds[name] ?? 'other',
      session,
      folder,
      continues: continuesIn(given),
      turn: prompt,
      continued: given['stop_hook_active'] === true,
      prompt,
      unfinished: undefined,
    };
  },
  write: (reply, event) => blockDecision(reply, event, 'deny'),
};
