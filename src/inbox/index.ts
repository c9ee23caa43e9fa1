/**
 * The questions of suspended runs as a page: read the run, answer, and it goes on. Node only.
 *
 * @module
 */

export { inboxHandler } from './inbox-handler.js';
export type {
  AnsweredRun,
  InboxAccess,
  InboxOptions,
  InboxRun,
  InboxSource,
} from './inbox-options.js';
export { type InboxServer, type ServeInboxOptions, serveInbox } from './serve-inbox.js';
