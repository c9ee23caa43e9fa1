import { byFlag, providerFlags, quietFlag } from '../../cli-kit/flags/common-flags.js';
import { flag, operand } from '../../cli-kit/flags/flag.js';
import { seconds } from '../../cli-kit/flags/values.js';
import { reportFlag } from '../../cli-kit/reports/report-flag.js';

const gateFlags = [
  flag({ name: 'phase', arg: '<phase>', help: 'the phase' }),
  flag({
    name: 'qrPhase',
    arg: '<phase>',
    help: 'the same, under the name that tools of the QR format use',
  }),
  flag({ name: 'stateDir', arg: '<dir>', help: 'the folder of the state files' }),
  flag({ name: 'request', arg: '<text>', help: 'the request that the work answers' }),
  flag({
    name: 'audit',
    arg: '<dir>',
    help: 'the folder of the audit log (default: the state directory)',
  }),
] as const;

const paths = operand({
  name: 'paths',
  arg: '[paths]',
  many: true,
  help: 'the files, folders or globs to review (default: those of the decomposition)',
});

const item = operand({ name: 'id', arg: '<id>', required: true, help: 'the item' });

export const checklistFlags = {
  decompose: [
    paths,
    ...gateFlags,
    ...providerFlags(
      'a model that adds items',
      ' (default: only the built-in checks and questions)',
    ),
    flag({
      name: 'reviewTimeout',
      arg: '<seconds>',
      parse: seconds,
      help: 'the time limit of the model (default: three calls of at most two minutes)',
    }),
    quietFlag,
  ],
  verify: [
    paths,
    ...gateFlags,
    ...providerFlags('the model that verifies items without a rule', ' (default: they stay TODO)'),
    flag({ name: 'bit', help: 'print only PASS or FAIL' }),
    reportFlag,
    flag({
      name: 'trustUnhashed',
      help: 'count a PASS that has no digest of the verified content',
    }),
    quietFlag,
  ],
  fix: [
    ...gateFlags,
    flag({ name: 'qrFail', help: 'print failed items as a prompt for a fixer, with an overview' }),
    flag({
      name: 'applied',
      help: 'the fixes are done: reset failed items to TODO and begin the next iteration',
    }),
  ],
  status: [paths, ...gateFlags],
  list: [
    ...gateFlags,
    flag({
      name: 'status',
      arg: '<status>',
      help: 'only items with this status: TODO, PASS or FAIL',
    }),
    flag({
      name: 'schema',
      arg: '<version>',
      help: 'export the state as JSON: 1.0 with its five fields, or 1.1',
    }),
  ],
  update: [
    item,
    ...gateFlags,
    flag({ name: 'status', arg: '<status>', help: 'PASS or FAIL' }),
    flag({ name: 'finding', arg: '<text>', help: 'the reason for a FAIL' }),
    flag({ name: 'fix', arg: '<text>', help: 'how to fix it' }),
    flag({ name: 'evidence', arg: '<text>', help: 'a quote that shows it' }),
    flag({ name: 'location', arg: '<place>', help: 'where it is: path, path:12 or path:12-15' }),
    flag({ name: 'severity', arg: '<severity>', help: 'MUST, SHOULD or MAY' }),
  ],
  accept: [item, ...gateFlags, flag({ name: 'reason', arg: '<text>', help: 'why' }), byFlag],
} as const;

export type ChecklistFlags = typeof checklistFlags;
