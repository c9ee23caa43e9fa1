import * as z from 'zod';
import { version } from '#report-shell';
import { type Artifact, artifactsOf } from '../../../core/artifact.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { decisionOf } from '../../../core/human.js';
import { digestJson } from '../../../core/json.js';
import { checkKeys, checkList, checkPlain, invalid } from '../../../core/options.js';
import { digestWith } from '../../../core/version.js';
import { digestOfBytes } from '../../../node/files.js';
import type { AuditRecord } from '../../../ports/audit-chain.js';
import type { AnswerRecord, JournalRecord } from '../../../ports/store.js';
import { reportErrors } from '../errors.js';
import {
  type AssessmentReport,
  type ReviewReport,
  type RunReport,
  RunReportSchema,
} from '../run-report.js';
import { type BundleSchema, signed } from './dsse.js';
import {
  predicateType,
  type Statement,
  type StatementSchema,
  statementType,
  versionName,
} from './statement.js';

/** An approval that others can check. */
export interface Attestation {
  /** The review as a statement of in-toto: what `actions/attest` signs. */
  readonly statement: z.infer<typeof StatementSchema>;
  /** The signed statement, as Sigstore writes it. Undefined without a key. */
  readonly bundle: z.infer<typeof BundleSchema> | undefined;
}

/**
 * Returns the approval or acceptance of a stored run as a statement, signed if there is a key. The
 * journal is the source: what the report says must agree with it, and the output with the version.
 *
 * @throws ReviewLoopError `not_attestable` for any other run, `key_invalid`, `invalid_options`
 * @example
 * ```ts
 * const records = (await store.read(outcome.runId)) ?? [];
 * const report = runReport(outcome, { task });
 * const { bundle } = attestation({ report, records, output: outcome.output, key });
 * ```
 */
export function attestation(run: {
  /** The ended run: `runReport(outcome, { task })`. */
  readonly report: RunReport;
  /** The journal of the run: `await store.read(runId)`. */
  readonly records: readonly JournalRecord[];
  /** The output that was approved: `outcome.output`. */
  readonly output: unknown;
  /** The digest of the files of the workspace: `outcome.workspace`. @default none */
  readonly tree?: string | undefined;
  /** The records of the audit log. @default none: decisions have no `auditRecord` */
  readonly audit?: readonly AuditRecord[] | undefined;
  /** An Ed25519 or P-256 private key as PEM. @default the statement is not signed */
  readonly key?: string | undefined;
  /** The commit that contains what was approved; nothing checks it here. @default none */
  readonly commit?:
    | { readonly repository: string; readonly commit: string; readonly tree: string }
    | undefined;
  /** Returns the files of the output. @default its artifacts */
  readonly files?: ((output: unknown) => readonly Artifact[]) | undefined;
  /** The models of reviewers, by their id. @default those of votes */
  readonly models?: Readonly<Record<string, string>> | undefined;
}): Attestation {
  checkKeys('attestation', run, [...keys]);
  const { report, output, tree, key, commit, files = artifactsOf } = run;
  checkRun(run);
  const { version } = report;
  refuseUnapproved(run);
  if (version === undefined || digestWith(digestJson(output), tree) !== version)
    throw refused(report, 'the output is not the version that was approved');
  const statement: Statement = {
    _type: statementType,
    subject: [
      ...files(output).flatMap(({ path, content }) =>
        content === undefined ? [] : [{ name: path, digest: { sha256: digestOfBytes(content) } }],
      ),
      { name: versionName, digest: { sha256: version } },
      ...(commit === undefined ? [] : [commitSubject(commit)]),
    ],
    predicateType,
    predicate: predicateOf(run),
  };
  return { statement, bundle: key === undefined ? undefined : signed(statement, key) };
}

export type AttestedRun = Parameters<typeof attestation>[0];

const keys = [
  'report',
  'records',
  'output',
  'tree',
  'audit',
  'key',
  'commit',
  'files',
  'models',
] as const;

function commitSubject({ repository, commit, tree }: NonNullable<AttestedRun['commit']>) {
  return { name: repository, digest: { gitCommit: commit, gitTree: tree } };
}

function checkRun({ report, records, audit, models }: AttestedRun): void {
  const { success, error } = z.safeParse(RunReportSchema, report);
  if (!success) throw invalid('report', `a report (${z.prettifyError(error)})`, report);
  checkList('records', records);
  if (audit !== undefined) checkList('audit', audit);
  if (models !== undefined) checkPlain('models', models);
}

/** Looks at the report and at the journal. */
function refuseUnapproved({ report, records }: AttestedRun): void {
  const { runId, status, code, checksPassed } = report;
  if (status !== 'approved' && status !== 'accepted')
    throw refused(report, `it is ${status}${checksPassed ? ': only its checks passed' : ''}`);
  const [header] = records;
  if (header?.type !== 'run' || header.runId !== runId)
    throw refused(report, 'its journal is missing, or belongs to another run');
  const end = records.at(-1);
  if (end?.type !== 'end' || end.status !== status || end.code !== code)
    throw refused(report, 'its journal does not end as its report says');
  const best = report.reviews.find((review) => review.best);
  if (best === undefined || best.version !== report.version)
    throw refused(report, 'its report has no review of the version that came back');
  const why =
    status === 'approved' ? notApproved(report, best, records) : notAccepted(report, records);
  if (why !== undefined) throw refused(report, why);
}

/** Names what the engine would not have approved. */
function notApproved(
  { approved, decidedBy }: RunReport,
  { complete, assessments, decision }: ReviewReport,
  records: readonly JournalRecord[],
): string | undefined {
  if (!approved || !complete || assessments.some(({ verdict }) => verdict === 'errored'))
    return 'not every reviewer answered';
  const byPerson = decidedBy !== undefined && answersOf(decidedBy, records).length > 0;
  const byPolicy = decidedBy === undefined && decision.kind === 'approve';
  return byPerson || byPolicy ? undefined : 'neither its policy nor a person approved it';
}

function notAccepted(
  { acceptance }: RunReport,
  records: readonly JournalRecord[],
): string | undefined {
  if (acceptance === undefined || acceptance.kind === 'not_reviewed')
    return 'it was accepted without a review';
  const { kind, by } = acceptance;
  if (kind === 'advisory') return undefined;
  const accepts = answersOf(by, records).some((answer) =>
    ['override', 'skip', 'approve'].includes(answer),
  );
  return accepts ? undefined : `its journal has no acceptance by ${by}`;
}

function answersOf(name: string, records: readonly JournalRecord[]): readonly string[] {
  return records.flatMap((record) =>
    record.type === 'answer' && record.answer.by === name ? [record.answer.kind] : [],
  );
}

function refused({ runId }: RunReport, why: string): ReviewLoopError {
  return new ReviewLoopError(reportErrors.not_attestable, `run ${runId}: ${why}`, { value: runId });
}

type Predicate = Statement['predicate'];

function predicateOf(run: Parameters<typeof attestation>[0]): Predicate {
  const { report, records, audit = [], models = {} } = run;
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
