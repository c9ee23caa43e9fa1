import type { Gap } from '@/core/gap.js';
import type { JudgeCalibration } from '@/faces/reports/html/report-model.js';
import type { RunReport } from '@/faces/reports/run-report.js';

const severities = ['critical', 'major', 'minor'] as const;

/** A gap of a report; `text` stands in every field that a producer or a model can fill. */
function reportGap(index: number, text = `gap ${index} of the page`): Gap {
  return {
    id: `gap-${index}`,
    severity: severities[index % 3] ?? 'minor',
    category: 'missing',
    description: text,
    suggestedFix: text,
    estimatedEffort: 'small',
    autoFixable: true,
    criterionId: text,
    raisedBy: text,
    affectedRequirement: text,
    evidence: text,
    location: { file: 'site/index.html', line: 1 + (index % 40) },
  };
}

const start = Date.UTC(2026, 10, 22, 10);
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();

/** How a made-up report is. */
export interface ReportShape {
  readonly runId?: string;
  readonly gaps?: number;
  readonly versions?: number;
  /** Stands in every field that a producer, a model or a person can fill. */
  readonly text?: string;
}

/** A report of a run with one version for each review; in each review some gaps are closed. */
export function madeReport({ runId = 'run-1', gaps = 12, versions = 4, text }: ReportShape = {}) {
  const said = (other: string) => text ?? other;
  const all = Array.from({ length: gaps }, (_, index) => reportGap(index, text));
  const openAt = (review: number) => all.filter((_, index) => index % versions >= review - 1);
  const scores = (share: number): RunReport['reviews'][number]['scores'] => ({
    quality: 0.5 + share * 0.4,
    completeness: share,
    correctness: null,
    overall: 0.4 + share * 0.5,
    judged: 12,
    total: 50,
    criteria: { met: 8, judged: 10, total: 46 },
    requirements: { met: 2, judged: 3, total: 4 },
  });
  const counts = { passed: 9, failed: 3, skipped: 36, undecided: 1, errored: 1 };
  const failed = {
    criterion: 'tone',
    verdict: 'errored' as const,
    text: said('the service answered 429: too many requests'),
    code: 'provider_failed',
  };
  const open = {
    criterion: 'requirement:prices',
    id: 'R2',
    verdict: 'undecided' as const,
    text: said('no check could decide it'),
    question: said('The page must show prices.'),
    decidableBy: ['model', 'person'],
  };
  const passed = { criterion: 'image-name', verdict: 'pass' as const, score: 1, text: said('ok') };
  const reviews = Array.from({ length: versions }, (_, index): RunReport['reviews'][number] => ({
    iteration: index + 1,
    version: `version-${index + 1}`,
    ...(index > 0 && { parent: `version-${index}` }),
    at: at(index * 60 + 30),
    durationMs: 20_000,
    complete: index < versions - 1,
    best: index === versions - 1,
    scores: scores((index + 1) / versions),
    counts,
    decision: { kind: 'revise', reason: said('gaps are open') },
    gaps: openAt(index + 1),
    fixed: index === 0 ? [] : openAt(index).filter((gap) => !openAt(index + 1).includes(gap)),
    assessments: [passed, failed, open],
  }));
  const report: RunReport = {
    schemaVersion: 1,
    runId,
    pipeline: said('landing page'),
    at: at(0),
    durationMs: 250_000,
    status: 'inconclusive',
    approved: false,
    code: 'undecided',
    reason: said('1 requirement is undecided'),
    exitCode: 50,
    task: { source: said('TASK.md'), text: said('Build a page for the tea house.') },
    criteria: { chosen: ['html'], reason: '', names: { 'image-name': said('Images have names') } },
    files: [{ path: said('site/index.html'), type: 'mockup', bytes: 100 }],
    notReviewed: [{ path: said('tea.jpg'), reason: said('it is binary') }],
    version: `version-${versions}`,
    gaps: openAt(versions),
    coverage: [
      {
        id: 'R1',
        requirement: said('The page must have a heading.'),
        source: 'explicit',
        covered: true,
        coverageDetails: said('a heading exists'),
        confidence: 1,
        decidedBy: 'html-elements',
        evidence: [
          { file: said('site/index.html'), line: 3, quote: said('<h1>Tea</h1>'), share: 1 },
        ],
      },
      {
        id: 'R2',
        requirement: said('The page must show prices.'),
        source: 'explicit',
        covered: false,
        state: 'unsure',
        coverageDetails: said('no check could decide it'),
        confidence: 0.4,
        evidence: [
          { file: said('site/index.html'), line: 9, quote: said('fair prices'), share: 0.5 },
        ],
      },
    ],
    failures: [failed],
    undecided: [open],
    fixed: all.slice(0, 1).map((gap) => ({ iteration: 2, by: said('fixer'), gap })),
    changed: [],
    written: [],
    bars: [{ score: 'quality', at: 0.8 }],
    waits: [
      {
        question: said('Is the price list complete?'),
        askedAt: at(100),
        answeredAt: at(140),
        answer: said('decide R2=yes'),
        by: said('Ann'),
        reason: said('seen on the page'),
      },
    ],
    attempts: [
      {
        name: said('iter:1/review:tone/ask'),
        code: said('provider_failed'),
        message: said('the service answered 429: too many requests'),
        at: at(20),
      },
    ],
    judges: [
      {
        id: said('tone'),
        tier: said('model'),
        ...{ passed: 3, failed: 1, undecided: 0, skipped: 0, errored: 1, reused: 1 },
        durationMs: 12_400,
        usage: { inputTokens: 24_000, outputTokens: 1_800, costUsd: 0.06 },
        errors: [said('provider_failed: the service answered 429')],
      },
      {
        id: 'image-name',
        tier: 'code',
        ...{ passed: 4, failed: 0, undecided: 0, skipped: 0, errored: 0, reused: 0 },
        durationMs: 12,
        usage: {},
        errors: [],
      },
    ],
    usage: { inputTokens: 48_000, outputTokens: 3_600, costUsd: 0.12 },
    next: [
      { why: said('yes or no, as you judge it'), command: said('reviewloop answer run-1 R2=yes') },
    ],
    reviews,
  };
  return report;
}

/** The content of the versions of a made-up report. */
export function madeVersions(report: RunReport, text?: string) {
  return Object.fromEntries(
    report.reviews.map(({ version, iteration }) => [
      version,
      [
        {
          type: 'mockup',
          path: text ?? 'site/index.html',
          content: Array.from(
            { length: 60 },
            (_, line) => text ?? `<p>line ${line}${line === 20 ? ` version ${iteration}` : ''}</p>`,
          ).join('\n'),
        },
      ],
    ]),
  );
}

/** A calibration of the judge `tone`; `text` stands in every field that somebody can fill. */
export function madeCalibration(text?: string): JudgeCalibration {
  return {
    judge: { id: text ?? 'tone', version: text ?? '3', model: text ?? 'small-model' },
    at: at(0),
    examples: { total: 120, good: 70, bad: 50, judged: 118 },
    confusion: { truePass: 66, falsePass: 6, trueFail: 43, falseFail: 3 },
    tpr: { value: 0.956, low: 0.88, high: 0.985 },
    tnr: { value: 0.877, low: 0.757, high: 0.942 },
    flipRate: 0.04,
    confidence: 0.95,
    notes: [text ?? '2 runs have no verdict; they count neither as passes nor as failures'],
  };
}
