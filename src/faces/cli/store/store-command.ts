import { commandGroup, defineCommand } from '../../cli-kit/flags/command.js';
import { copyFlags, migrateFlags, pruneFlags } from './store-flags.js';

const copyHelp = `
Runs, reports, verdicts, lessons, attempts and the audit log are copied; the store that is copied
stays as it is. A second copy adds what is new. A run that went on in the database stays as it is
there. While a process works on a run, nothing is copied.

Set the address in a variable, so that no list of processes shows its password.

Exit codes: 0 copied, 1 something differs in the database and was not copied, 2 usage error.

Examples:
  export REVIEWS_DB=postgres://app:PASSWORD@db.example.com/app
  reviewloop store copy file:.reviewloop env:REVIEWS_DB
  reviewloop store copy sqlite:reviews.db env:REVIEWS_DB`;

const migrateHelp = `
Every command creates missing tables itself. Run this one as a role that may create tables, if the
role of the others may not.

Examples:
  reviewloop store migrate --store env:REVIEWS_DB`;

const pruneHelp = `
It removes runs of every pipeline in the store, not only those of commands, and prints how many of
each. Runs that are unfinished, suspended or open stay, and so do the audit log, lessons and attempts.

Examples:
  reviewloop store prune --older-than 90d
  reviewloop store prune --older-than 30d --keep 100 --store env:REVIEWS_DB`;

export const storeCommand = commandGroup({
  name: 'store',
  summary: 'copy a store into a database, migrate it, remove what is old',
  description: 'Copies a store into a PostgreSQL database, migrates its tables, removes old runs.',
  commands: [
    defineCommand({
      name: 'copy',
      summary: 'copy a store into a PostgreSQL database',
      description: 'Copies everything in a store into a PostgreSQL database.',
      flags: copyFlags,
      help: copyHelp,
      cancelled: 'copy again to complete it',
      run: async ({ io }, given) => (await import('./copy-store.js')).copyStore(io, given),
    }),
    defineCommand({
      name: 'migrate',
      summary: 'create or update the tables of a database',
      description: 'Creates the missing tables of a PostgreSQL database.',
      flags: migrateFlags,
      help: migrateHelp,
      run: async (...given) => (await import('./prune-store.js')).migrateStore(...given),
    }),
    defineCommand({
      name: 'prune',
      summary: 'remove old runs of every pipeline, and old verdicts',
      description:
        'Removes runs of every pipeline in the store that ended long ago, with their reports, ' +
        'and old verdicts.',
      flags: pruneFlags,
      help: pruneHelp,
      run: async (...given) => (await import('./prune-store.js')).pruneStore(...given),
    }),
  ],
});
