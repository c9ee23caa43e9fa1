// A run as a report contains it: many gaps, each open in some of its versions.
const start = Date.UTC(2026, 10, 22, 10);
const severities = ['critical', 'major', 'minor'];
const counted = { met: 8, judged: 10, total: 46 };

export function largeRun(gaps, versions) {
  const all = Array.from({ length: gaps }, (_, index) => gapOf(index));
  const openAt = (review) => all.filter((_, index) => index % versions >= review - 1);
  const at = (seconds) => new Date(start + seconds * 1000).toISOString();
  const reviews = Array.from({ length: versions }, (_, index) => ({
    iteration: index + 1,
    version: `version-${index + 1}`,
    at: at(index * 60 + 30),
    durationMs: 20_000,
    complete: true,
    best: index === versions - 1,
    scores: {
      ...{ quality: 0.6, completeness: (index + 1) / versions, correctness: null, overall: 0.7 },
      ...{ judged: 12, total: 50, criteria: counted, requirements: counted },
    },
    counts: { passed: 9, failed: 3, skipped: 36, undecided: 0, errored: 0 },
    decision: { kind: 'revise', reason: 'gaps are open' },
    gaps: openAt(index + 1),
    fixed: index === 0 ? [] : openAt(index).filter((gap) => !openAt(index + 1).includes(gap)),
    assessments: [],
  }));
  return {
    schemaVersion: 1,
    runId: `run-${gaps}`,
    pipeline: 'landing page',
    at: at(0),
    durationMs: versions * 60_000,
    status: 'exhausted',
    approved: false,
    code: 'iterations',
    reason: 'the budget of reviews is used up',
    exitCode: 50,
    task: { source: 'TASK.md', text: 'Build a page for the tea house.' },
    criteria: { chosen: ['html'], reason: '', names: {} },
    files: [{ path: 'site/index.html', type: 'mockup', bytes: 100 }],
    ...{ notReviewed: [], coverage: [], failures: [], undecided: [], fixed: [], changed: [] },
    written: [],
    version: `version-${versions}`,
    gaps: openAt(versions),
    reviews,
  };
}

function gapOf(index) {
  return {
    id: `gap-${index}`,
    severity: severities[index % 3],
    category: 'missing',
    description: `gap ${index} of the page, with a sentence of some length about what is wrong`,
    suggestedFix: 'Give it text, or a label that says what it does',
    estimatedEffort: 'small',
    autoFixable: true,
    criterionId: 'button-name',
    raisedBy: 'button-name',
    evidence: `<button class="offer-${index}"></button>`,
    location: { file: 'site/index.html', line: 1 + (index % 400) },
  };
}

/** The content of the versions of a run. */
export function largeVersions({ reviews }) {
  return Object.fromEntries(
    reviews.map(({ version, iteration }) => [
      version,
      [
        {
          type: 'mockup',
          path: 'site/index.html',
          content: Array.from(
            { length: 400 },
            (_, line) => `<p>line ${line}${line % 40 === 20 ? ` of version ${iteration}` : ''}</p>`,
          ).join('\n'),
        },
      ],
    ]),
  );
}
