import { errorTable } from '../../core/error-table.js';

/** The errors of configuration files. */
export const configErrors = /* @__PURE__ */ errorTable({
  config_invalid: {
    kind: 'input',
    fix: 'Correct the configuration file at the line that the message names.',
  },
  config_unreadable: {
    kind: 'input',
    fix: 'Check the path in --config, and whether the file can be loaded.',
  },
});
