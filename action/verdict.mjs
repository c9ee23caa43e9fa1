// What a review means for the job and for the check run: one table, which docs/ci.md shows.
const ranks = ['minor', 'major', 'critical'];

const plural = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;
const isOpen = ({ standing }) => standing !== 'disputed' && standing !== 'waived';

/** Returns the numbers of gaps in words, the worst first. */
function gapWords(gaps) {
  const counts = ranks
    .toReversed()
    .map((rank) => [rank, gaps.filter(({ severity }) => severity === rank).length])
    .filter(([, count]) => count > 0);
  return counts
    .map(([rank, count], index) =>
      index === 0 ? plural(count, `${rank} gap`) : `${count} ${rank}`,
    )
    .join(', ');
}

const nameOf = ({ id, criterion }) => id ?? criterion;

/** Returns the code of the job, and the conclusion, title and summary of the check run. */
export function verdictOf(report, rules) {
  const verdict = conclude(report, rules);
  const isNever = rules.failOn === 'never' && verdict.code >= 50 && verdict.code <= 54;
  return isNever ? { ...verdict, code: 0, conclusion: 'neutral' } : verdict;
}

const failure = (code, title, summary = '') => ({ code, conclusion: 'failure', title, summary });

function conclude(report, rules) {
  const { code } = rules;
  if (report === undefined)
    return failure(code || 1, 'No verdict', 'The review did not run to its end; see the log.');
  const { status, reason } = report;
  const seen = { ...rules, gaps: report.gaps.filter(isOpen) };
  switch (status) {
    case 'approved':
    case 'accepted':
      return approved(report, seen);
    case 'suspended':
      return waiting(report, code);
    case 'rejected':
      return failure(code, `Rejected by ${report.decidedBy ?? 'a person'}`, reason);
    case 'failed':
    case 'timed_out':
    case 'cancelled':
      return failure(code || 1, 'No verdict', reason);
    default:
      return notApproved(report, seen);
  }
}

function approved({ acceptance, reason }, { gaps, failOn }) {
  const against = gaps.length === 0 ? '' : `, against ${gapWords(gaps)}`;
  const title = acceptance === undefined ? 'Approved' : `Approved by ${acceptance.by}${against}`;
  return failOn !== '' && hasGap(gaps, failOn)
    ? failure(50, `Not approved: ${gapWords(gaps)}`, `fail-on: ${failOn}. ${title}.`)
    : { code: 0, conclusion: 'success', title, summary: reason };
}

function waiting({ requests = [] }, code) {
  return {
    ...{ code, conclusion: 'action_required' },
    title: `Waits for a person: ${plural(requests.length, 'question')}`,
    summary: requests.map(({ question }) => question).join('\n'),
  };
}

function hasGap(gaps, failOn) {
  const least = Math.max(0, ranks.indexOf(failOn));
  return gaps.some(({ severity }) => ranks.indexOf(severity) >= least);
}

function notApproved(report, { gaps, failOn, required }) {
  const { failures, judges = [], undecided, reason } = report;
  const title = `Not approved: ${gapWords(gaps)}`;
  if (failures.length > 0) {
    const all = plural(Math.max(judges.length, failures.length), 'judge');
    const why = failures.map(({ criterion, text }) => `${criterion}: ${text}`).join('\n');
    return failure(50, `No verdict: ${failures.length} of ${all} failed`, why);
  }
  if (hasGap(gaps, failOn)) return failure(50, title, reason);
  const open = undecided.filter(({ mandatory }) => mandatory !== false).map(nameOf);
  if (!isSeen(report) || open.length + gaps.length === 0)
    return failure(50, 'Not approved', reason);
  const passes = required === 'checks' || (required === 'judged' && open.length === 0);
  return {
    code: passes ? 0 : open.length > 0 ? 54 : 50,
    conclusion: passes ? 'neutral' : 'failure',
    title:
      gaps.length === 0
        ? `Checks passed, ${plural(open.length, 'question')} not judged`
        : `${title}, less than fail-on`,
    summary: open.length === 0 ? reason : `Not judged: ${open.join(', ')}.`,
  };
}

/** Returns whether checks passed, and every text was there for them. */
function isSeen({ counts, notReviewed }) {
  return counts?.passed > 0 && notReviewed.every(({ reason }) => reason === 'binary');
}
