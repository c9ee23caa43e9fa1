import { commandGroup, defineCommand } from '../../cli-kit/flags/command.js';
import { outputFlags, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { flag } from '../../cli-kit/flags/flag.js';

const auditFlags = [
  flag({
    name: 'expect',
    arg: '<mark>',
    help: 'a record that the log must contain, as SEQ:HASH',
  }),
  ...outputFlags,
  storeFlag,
] as const;

const help = `
Every answer and override is recorded in audit.jsonl of the store, each record with the hash of the
one before. \`verify\` finds records that were changed, removed, added or moved, and a log that was
cut short after a run stored its mark. Store the last mark that it prints elsewhere, and pass it to
--expect later.

Exit codes: 0 intact, 1 not intact or not readable, 2 usage error.

Examples:
  reviewloop audit verify
  reviewloop audit verify --json
  reviewloop audit verify --expect 12:9f86d081...`;

export const auditCommand = commandGroup({
  name: 'audit',
  summary: 'verify the audit log of answers and overrides',
  description: 'Verifies the audit log of answers and overrides.',
  commands: [
    defineCommand({
      name: 'verify',
      summary: 'check that nothing changed the log',
      description:
        'Checks that the log of answers and overrides contains exactly what was written.',
      flags: auditFlags,
      help,
      run: async (...given) => (await import('./verify-log.js')).verifyLog(...given),
    }),
  ],
});
