import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

interface Verdict {
  readonly code: number;
  readonly conclusion: string;
  readonly title: string;
}

const file = resolve(import.meta.dirname, '../../action/verdict.mjs');
const { verdictOf } = (await import(pathToFileURL(file).href)) as {
  readonly verdictOf: (report: unknown, rules: object) => Verdict;
};

const open = [
  { criterion: 'intent', verdict: 'undecided' },
  { id: 'R6', criterion: 'requirement-1' },
];
const report = {
  ...{ status: 'inconclusive', approved: false, reason: 'why', gaps: [], failures: [] },
  ...{ undecided: [], notReviewed: [], counts: { passed: 3 }, judges: [{}, {}] },
};
const gap = (severity: string) => ({ severity });
const failures = [{ criterion: 'css', text: 'broke' }];
const bob = { acceptance: { by: 'bob' }, gaps: [gap('major'), gap('minor')] };

const exhausted = { status: 'exhausted' };
const minor = { gaps: [gap('minor')] };
const worse = { gaps: [gap('minor'), gap('critical'), gap('minor')] };
const less = 'Not approved: 1 minor gap, less than fail-on';
const partial = 'Checks passed, 2 questions not judged';
const against = 'Approved by bob, against 1 major gap, 1 minor';

type Row = readonly [object | undefined, object, string];
const rows: Readonly<Record<string, Row>> = {
  approved: [{ status: 'approved', approved: true }, {}, '0 success: Approved'],
  accepted: [{ status: 'accepted', ...bob }, {}, `0 success: ${against}`],
  'approved, with a gap at fail-on': [
    { status: 'approved', ...minor },
    { failOn: 'minor' },
    '50 failure: Not approved: 1 minor gap',
  ],
  'approved, with a gap below fail-on': [
    { status: 'approved', ...minor },
    { failOn: 'major' },
    '0 success: Approved',
  ],
  partial: [{ undecided: open }, {}, `0 neutral: ${partial}`],
  'partial, judged': [{ undecided: open }, { required: 'judged' }, `54 failure: ${partial}`],
  'partial, approved': [{ undecided: open }, { required: 'approved' }, `54 failure: ${partial}`],
  'nothing seen': [{ undecided: open, counts: { passed: 0 } }, {}, '50 failure: Not approved'],
  gaps: [{ ...exhausted, ...worse }, {}, '50 failure: Not approved: 1 critical gap, 2 minor'],
  'gaps below fail-on': [
    { ...exhausted, ...minor },
    { required: 'judged', failOn: 'major' },
    `0 neutral: ${less}`,
  ],
  'gaps below fail-on, approved': [
    { ...exhausted, ...minor },
    { required: 'approved', failOn: 'major' },
    `50 failure: ${less}`,
  ],
  never: [
    { ...exhausted, gaps: [gap('critical')] },
    { failOn: 'never' },
    '0 neutral: Not approved: 1 critical gap',
  ],
  rejected: [
    { status: 'rejected', decidedBy: 'ann' },
    { code: 51, failOn: 'critical' },
    '51 failure: Rejected by ann',
  ],
  waits: [
    { status: 'suspended', requests: [{ question: 'Yes?' }] },
    { code: 53 },
    '53 action_required: Waits for a person: 1 question',
  ],
  'a judge failed': [{ failures }, {}, '50 failure: No verdict: 1 of 2 judges failed'],
  'time-out': [{ status: 'timed_out' }, { code: 52 }, '52 failure: No verdict'],
  'nothing ran': [undefined, { code: 2, failOn: 'never' }, '2 failure: No verdict'],
  'nothing ran, code 0': [undefined, { code: 0 }, '1 failure: No verdict'],
};

it.each(Object.entries(rows))('%s: code, conclusion and title', (_, [given, rules, expected]) => {
  const seen = given === undefined ? undefined : { ...report, ...given };
  const all = { code: 50, required: 'checks', failOn: '', ...rules };
  const { code, conclusion, title } = verdictOf(seen, all);
  expect(`${code} ${conclusion}: ${title}`).toBe(expected);
});
