import { errorTable } from '../../core/error-table.js';

/** The errors of the file and sqlite stores and of stored workspaces. */
export const storeErrors = /* @__PURE__ */ errorTable({
  journal_fenced: {
    kind: 'environment',
    fix:
      'Continue in the process that took over the run while this one was silent, ' +
      'or run again with the same runId.',
  },
  store_busy: {
    kind: 'environment',
    fix:
      'Run again when the database answers. If another process holds it, end that process. ' +
      'If more time is enough, raise `busyTimeoutMs` (SQLite) or `outageMs` (PostgreSQL).',
  },
  store_foreign: {
    kind: 'environment',
    fix: 'Nothing was changed. Give reviewloop its own database file, or its own `schema`.',
  },
  store_outdated: {
    kind: 'environment',
    fix:
      'Nothing was changed. Run `reviewloop store migrate` as a role that may create tables, ' +
      'or leave out `migrate: false`.',
  },
  store_unavailable: {
    kind: 'environment',
    fix:
      'Check the address, the name and the rights of the role, and the certificate of the server. ' +
      'The message of the database says which.',
  },
  audit_corrupt: {
    kind: 'environment',
    fix:
      'Nothing was written. Run `reviewloop audit verify`, find out who changed the log, ' +
      'and move it away to start a new one.',
  },
  workspace_changed: {
    kind: 'environment',
    fix:
      'Stop the program that writes into the folder, or add the path to `ignore`: ' +
      'a snapshot needs files that do not change while they are read.',
  },
  workspace_unreadable: {
    kind: 'environment',
    fix:
      'Remove the path in the message, make it readable, or add it to `ignore`: ' +
      'a snapshot contains only files, folders and symbolic links.',
  },
  workspace_missing: {
    kind: 'environment',
    fix:
      'Nothing was changed. ' +
      'Pass a digest that `snapshot` of this workspace returned and that was not pruned.',
  },
  workspace_damaged: {
    kind: 'environment',
    fix:
      'Nothing was changed. A stored file is missing or was changed. ' +
      'Restore the store of the workspace from a backup, or start a new run.',
  },
});
