/** Where the report of a judge counts each verdict. */
export const judgeCounters = {
  pass: 'passed',
  fail: 'failed',
  undecided: 'undecided',
  skipped: 'skipped',
  errored: 'errored',
} as const;
