import { version } from '#report-shell';
import { decisionOf } from '../../../core/human.js';
import { digestJson } from '../../../core/json.js';
import type { AuditRecord } from '../../../ports/audit-chain.js';
import type { AnswerRecord, JournalRecord } from '../../../ports/store.js';
import type { AssessmentReport, ReviewReport, RunReport } from '../run-report.js';
import type { Statement } from './statement.js';

type Predicate = Statement['predicate'];

interface PredicateSource {
  readonly report: RunReport;
  readonly records: readonly JournalRecord[];
  readonly audit?: readonly AuditRecord[] | undefined;
  readonly models?: Readonly<Record<string, string>> | undefined;
}

export function predicateOf({
  report,
  records,
  audit = [],
  models = {},
}: PredicateSource): Predicate {
  const { runId, bars = [], acceptance, decidedBy, notReviewed, requirements } = report;
  const header = records.find((record) => record.type === 'run');
  const parts = partsOf(records);
  const best = report.reviews.find((review) => review.best);
  const { version: declared = '', settings = '' } = parts;
  return {
    verdict: report.status === 'accepted' ? 'accepted' : 'approved',
    decidedBy:
      (acceptance?.kind ?? 'advisory') !== 'advisory' || decidedBy !== undefined
        ? 'person'
        : 'reviewers',
    at: new Date(records.at(-1)?.at ?? 0).toISOString(),
    runId,
    pipeline: header?.pipeline ?? '',
    task: { digest: { sha256: header?.taskDigest ?? '' } },
    policy: {
      digest: { sha256: digestJson({ version: declared, settings, bars }) },
      bars: [...bars],
    },
    ...(acceptance !== undefined && { acceptance: { ...acceptance } }),
    reviewers: reviewersOf(parts, { ...modelsIn(best), ...models }),
    requirements: requirementsOf(best?.assessments ?? []),
    decisions: decisionsOf(report, records, audit),
    notJudged: report.undecided.map(nameOf),
    notReviewed: [...notReviewed],
    waived: [...(requirements?.leftOut ?? [])],
    dissent: best === undefined ? [] : dissentIn(best),
    verdictsReused: best?.reused?.verdicts ?? 0,
    journal: { digest: { sha256: digestJson(records) } },
    tool: { name: 'reviewloop', version, engine: `node ${process.version}` },
  };
}

/** They are of the pipeline that continued the run last, by name. */
function partsOf(records: readonly JournalRecord[]): Readonly<Record<string, string>> {
  const later = records.findLast(
    (record) => record.type === 'step' && ['parts', 'restart'].includes(record.name),
  );
  if (later?.type === 'step' && isTexts(later.value)) return later.value;
  return records.find((record) => record.type === 'run')?.parts ?? {};
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((text) => typeof text === 'string')
  );
}

function reviewersOf(
  parts: Readonly<Record<string, string>>,
  models: Readonly<Record<string, string>>,
): Predicate['reviewers'] {
  return Object.entries(parts).flatMap(([name, part]) => {
    const [, id] = /^reviewer (.*)$/s.exec(name) ?? [];
    if (id === undefined) return [];
    const [, digest = part, kind = ''] = /^(.*) \((\w+)\)$/s.exec(part) ?? [];
    const model = models[id];
    return [{ id, kind, version: digest, ...(model !== undefined && { model }) }];
  });
}

/** Votes name them. Keys are criteria. */
function modelsIn(review: ReviewReport | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    review?.assessments.flatMap(({ criterion, votes }): [string, string][] => {
      const models = new Set(votes?.by?.flatMap(({ model }) => model ?? []));
      return models.size > 0 ? [[criterion, [...models].join(', ')]] : [];
    }) ?? [],
  );
}

function requirementsOf(assessments: readonly AssessmentReport[]): Predicate['requirements'] {
  const all = assessments.filter(({ id }) => id !== undefined);
  const count = (test: (one: AssessmentReport) => boolean) => all.filter(test).length;
  return {
    met: count(({ verdict }) => verdict === 'pass'),
    notMet: count(({ verdict }) => verdict === 'fail'),
    decidedByPerson: count(({ decidedBy }) => decidedBy !== undefined),
    undecided: count(({ verdict, mandatory }) => verdict === 'undecided' && mandatory !== false),
    undecidedOptional: count(
      ({ verdict, mandatory }) => verdict === 'undecided' && mandatory === false,
    ),
  };
}

function decisionsOf(
  report: RunReport,
  records: readonly JournalRecord[],
  audit: readonly AuditRecord[],
): Predicate['decisions'] {
  const names = new Map(
    report.reviews.flatMap(({ assessments }) =>
      assessments.map((one): [string, string] => [one.criterion, nameOf(one)]),
    ),
  );
  // an equal decision that was given twice has two records
  const left = audit.filter(({ runId }) => runId === report.runId);
  return records.flatMap((record) => {
    if (record.type !== 'answer') return [];
    const { answer, at } = record;
    const index = left.findIndex((entry) => isAbout(entry, record));
    const [entry] = index < 0 ? [] : left.splice(index, 1);
    return {
      answer: decisionOf(answer),
      by: answer.by,
      at: new Date(at).toISOString(),
      ...(answer.kind === 'decide' && {
        about: Object.fromEntries(
          Object.entries(answer.decisions).map(([name, said]) => [names.get(name) ?? name, said]),
        ),
      }),
      ...(entry !== undefined && { auditRecord: `sha256:${entry.hash}` }),
    };
  });
}

function isAbout(entry: AuditRecord, { answer, digest }: AnswerRecord): boolean {
  return (
    entry.who === answer.by && entry.decision === decisionOf(answer) && entry.version === digest
  );
}

function dissentIn({ assessments, gaps }: ReviewReport): Predicate['dissent'] {
  return [
    ...assessments.flatMap((one) => [
      ...(one.verdict === 'fail' || one.verdict === 'errored'
        ? [{ criterion: nameOf(one), said: one.verdict }]
        : []),
      ...outvoted(one),
    ]),
    ...gaps.map(({ criterionId = '', raisedBy, severity, id, standing }) => ({
      criterion: criterionId,
      ...(raisedBy !== undefined && { by: raisedBy }),
      said: `${standing === undefined ? '' : `${standing} `}${severity} gap ${id}`,
    })),
  ];
}

function outvoted({ criterion, id, verdict, votes }: AssessmentReport): Predicate['dissent'] {
  if (verdict !== 'pass' || votes === undefined || votes.fail === 0) return [];
  const name = nameOf({ criterion, id });
  const { by = [], pass, fail, failed } = votes;
  const against = by.filter(({ passed }) => !passed);
  if (against.length < fail)
    return [{ criterion: name, said: `${fail} of ${pass + fail + failed} voted fail` }];
  return against.map(({ judge, model }) => ({
    criterion: name,
    by: model === undefined ? judge : `${judge} (${model})`,
    said: 'voted fail',
  }));
}

function nameOf({
  id,
  criterion,
}: {
  readonly id?: string | undefined;
  readonly criterion: string;
}): string {
  return id ?? criterion;
}
