import { errorTable } from '../../core/error-table.js';

/** The errors of criteria that need a browser. */
export const criteriaErrors = /* @__PURE__ */ errorTable({
  browser_missing: {
    kind: 'environment',
    fix:
      'Install Chromium, for example with `apt-get install chromium fonts-liberation`, ' +
      'or name a browser in `browser.executablePath`.',
  },
  browser_failed: {
    kind: 'environment',
    fix: 'Read the cause: the browser did not start, crashed, or did not finish in `timeoutMs`.',
  },
});
