import type { RunReport } from '@/faces/reports/run-report.js';

/** A question to a person. */
export const question = {
  id: 'q',
  runId: 'r',
  digest: 'd',
  question: 'Fine?',
  gaps: [],
  allowed: ['approve', 'reject'] as const,
};

/** The report of a run that waits, without anything in it. */
export const emptyReport: RunReport = {
  ...{ schemaVersion: 1, runId: 'r', at: '', durationMs: 0, task: { source: 't' } },
  ...{ status: 'suspended', approved: false, code: 'waiting', reason: '', exitCode: 53 },
  ...{ criteria: { chosen: [], reason: '', names: {} }, files: [], notReviewed: [], gaps: [] },
  ...{
    coverage: [],
    failures: [],
    undecided: [],
    fixed: [],
    changed: [],
    written: [],
    reviews: [],
  },
};
