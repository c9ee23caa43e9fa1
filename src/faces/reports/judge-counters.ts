export const judgeCounters = {
  pass: 'passed',
  fail: 'failed',
  undecided: 'undecided',
  skipped: 'skipped',
  errored: 'errored',
} as const;
