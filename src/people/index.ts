/**
 * Asking people: at a terminal, through files, or by a webhook. Node only.
 *
 * @module
 */

export type {
  Asker,
  DecisionAnswer,
  HumanAnswerKind,
  OverrideAnswer,
  PlainAnswer,
  ReplyAnswer,
  RevisionAnswer,
} from '../core/human.js';
export { type AnswerWithOptions, answerWith } from '../pipeline/answer-with.js';
export type { HumanGate, HumanTexts } from '../ports/human-gate.js';
export { oneLine, sanitise } from '../terminal/sanitise.js';
export { filePerson } from './file-person.js';
export type { Mode, TerminalStreams } from './prompts.js';
export { type TerminalPersonOptions, terminalPerson } from './terminal-person.js';
export { type WebhookOptions, webhook } from './webhook.js';
