import { type HumanAnswerKind, isAboutWork, isOverride } from '../../core/human.js';
import { digestJson } from '../../core/json.js';
import { digestWith } from '../../core/version.js';
import type { JournalRecord } from '../../ports/store.js';
import type { LabelledVerdict, ReadLabel } from './labels.js';

/** A person's answer about a version, as a label. */
export interface AnswerLabel extends ReadLabel {
  /** The name of the person. */
  readonly by: string;
  readonly reason?: string | undefined;
  /** ISO 8601. */
  readonly at: string;
}

/** Keys are digests, then criteria. */
export type VerdictsOfVersions = ReadonlyMap<string, Readonly<Record<string, LabelledVerdict>>>;

const meanings: Readonly<Record<HumanAnswerKind, 'pass' | 'fail' | undefined>> = {
  approve: 'pass',
  override: 'fail',
  reject: 'fail',
  revise: 'fail',
  skip: undefined,
  decide: undefined,
  reply: undefined,
};

/**
 * Returns the answers of people in a journal as labels. An approval is a pass; a rejection or a
 * requested revision is a failure; a skip is ignored. A decision is a label of its criterion. An
 * override accepts work for other reasons than its quality: it is a failure with `overridden`, also
 * where it was given as an approval. The last answer about a version counts.
 *
 * @param version - A version that the journal does not contain.
 * @param verdicts - What judges said; the labels then contain it.
 * @returns The labels, and the number of versions whose output is missing.
 */
export function labelsOfJournal(
  records: readonly JournalRecord[],
  version?: { readonly digest: string; readonly output: unknown },
  verdicts?: VerdictsOfVersions,
): { readonly labels: readonly AnswerLabel[]; readonly lost: number } {
  const outputs = outputsOf(records);
  if (version !== undefined) outputs.set(version.digest, version.output);
  const header = records.find((record) => record.type === 'run');
  const labels = new Map<string, AnswerLabel>();
  const lost = new Set<string>();
  for (const record of answersAboutVersions(records)) {
    const { digest } = record;
    const output = outputs.get(digest);
    const meanings = meaningsOf(records, record);
    if (output === undefined && meanings.length > 0) lost.add(digest);
    if (output === undefined) continue;
    for (const meaning of meanings)
      labels.set(`${digest} ${meaning.criterion ?? ''}`, {
        ...labelOf(record, meaning, header?.runId),
        task: header?.task,
        output,
        ...(verdicts?.has(digest) && { verdicts: verdicts.get(digest) }),
      });
  }
  return { labels: [...labels.values()], lost: lost.size };
}

function labelOf(
  { answer, digest, at }: AnswerRecord,
  { label, criterion, overridden }: Meaning,
  runId: string | undefined,
): Omit<AnswerLabel, 'task' | 'output'> {
  const id = `${runId}:${digest.slice(0, 12)}`;
  return {
    id: criterion === undefined ? id : `${id}:${criterion}`,
    label,
    ...(overridden && { overridden: true }),
    ...(criterion !== undefined && { criterion }),
    by: answer.by,
    ...reasonOf(answer),
    at: new Date(at).toISOString(),
  };
}

type AnswerRecord = Extract<JournalRecord, { type: 'answer' }>;

interface Meaning {
  readonly label: 'pass' | 'fail';
  readonly criterion?: string;
  readonly overridden: boolean;
}

function meaningsOf(records: readonly JournalRecord[], given: AnswerRecord): readonly Meaning[] {
  const { answer } = given;
  if (answer.kind === 'decide')
    return Object.entries(answer.decisions).map(([criterion, decided]) => ({
      label: decided === 'yes' ? 'pass' : 'fail',
      criterion,
      overridden: false,
    }));
  const overridden = isOverrideAnswer(records, given);
  const label = overridden ? 'fail' : meanings[answer.kind];
  return label === undefined ? [] : [{ label, overridden }];
}

function answersAboutVersions(records: readonly JournalRecord[]): AnswerRecord[] {
  const aboutWork = new Set(
    records.flatMap((record) =>
      record.type === 'request' && isAboutWork(record.request) ? [record.request.id] : [],
    ),
  );
  return records.filter(
    (record): record is AnswerRecord => record.type === 'answer' && !aboutWork.has(record.id),
  );
}

function isOverrideAnswer(records: readonly JournalRecord[], given: AnswerRecord): boolean {
  if (given.answer.kind !== 'approve') return given.answer.kind === 'override';
  return records.some(
    (record) =>
      record.type === 'request' && record.request.id === given.id && isOverride(record.request),
  );
}

function outputsOf(records: readonly JournalRecord[]): Map<string, unknown> {
  return new Map(
    records.flatMap((record) =>
      record.type === 'step'
        ? [[digestWith(digestJson(record.value), record.workspace), record.value] as const]
        : [],
    ),
  );
}

function reasonOf(answer: AnswerRecord['answer']): { readonly reason?: string } {
  const reason = answer.kind === 'revise' ? answer.note : answer.reason;
  return reason === undefined ? {} : { reason };
}
