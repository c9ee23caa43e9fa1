/**
 * People who answer: in a terminal, in files, by a webhook, in the inbox. And the events of coding
 * agents. Node only.
 *
 * @module
 */

export { answerWith } from '../../blocks/pipeline/answer-with.js';
export type { DecisionAnswer } from '../../core/human.js';
export { sanitise } from '../../node/terminal/sanitise.js';
export type { HumanGate, HumanTexts } from '../../ports/human-gate.js';
export {
  type AgentEvent,
  type AgentFormat,
  type AgentName,
  agentNames,
  type GateReply,
  type HookOutput,
} from '../hooks/agent-event.js';
export { formatOf, type ReadEvent, readEvent } from '../hooks/agent-formats.js';
export { filePerson } from '../people/file-person.js';
export { terminalPerson } from '../people/terminal-person.js';
export { webhook } from '../people/webhook.js';
export { inboxHandler } from './inbox-handler.js';
export type { InboxSource } from './inbox-options.js';
export { type InboxServer, serveInbox } from './serve-inbox.js';
