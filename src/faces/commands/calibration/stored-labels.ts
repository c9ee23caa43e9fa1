import { join, resolve } from 'node:path';
import { fileStore } from '../../../adapters/stores/file/index.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { shareOfScale } from '../../../core/grade.js';
import { hashText } from '../../../core/hash.js';
import { redactJson } from '../../../core/redact/redact-json.js';
import { readTextFile, textOf } from '../../../node/files.js';
import type { StoreFiles } from '../../../node/store-file.js';
import type { JournalRecord, Store } from '../../../ports/store.js';
import {
  type AnswerLabel,
  labelsOfJournal,
  type VerdictsOfVersions,
} from '../../../products/calibration/answer-labels.js';
import { calibrationErrors } from '../../../products/calibration/errors.js';
import {
  type LabelledVerdict,
  type ReadLabel,
  readLabels,
} from '../../../products/calibration/labels.js';
import type { AgentOutput } from '../../../products/self-review/agent.js';
import type { Io } from '../../cli-kit/io.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { listRuns, storedContent, writeJson } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';

/** Without secrets. `lost` is the number of answers about versions that were not stored. */
export async function storedLabels({ files, runs }: StoreHandle) {
  const labels: AnswerLabel[] = [];
  let lost = 0;
  for (const run of await listRuns(files)) {
    if (run.kind !== 'report') continue;
    const { report } = run;
    const records = (await runs.read(report.runId)) ?? [];
    if (records.every(({ type }) => type !== 'answer')) continue;
    const found = labelsOfJournal(
      records,
      await storedVersion(files, report),
      judgeVerdicts(report, records),
    );
    labels.push(...redactJson(found.labels));
    lost += found.lost;
  }
  const oldestFirst = labels.sort((a, b) => a.at.localeCompare(b.at));
  return { labels: oldestFirst, lost };
}

async function storedVersion(
  store: StoreFiles,
  { runId, version, files }: RunReport,
): Promise<{ digest: string; output: AgentOutput } | undefined> {
  if (version === undefined) return undefined;
  const artifacts = await Promise.all(
    files.map(async ({ path, type }) => ({
      path,
      type,
      content: await storedContent(store, runId, path),
    })),
  );
  // a file system that ignores case keeps one of two files whose names differ in nothing else
  const names = new Set(artifacts.map(({ path }) => path.toLowerCase()));
  return names.size === artifacts.length && artifacts.every(({ content }) => content !== undefined)
    ? { digest: version, output: { artifacts } as AgentOutput }
    : undefined;
}

/** They are apart from other runs, if the store has a folder. */
export function calibrationRuns({ folder, runs }: StoreHandle): Store {
  return folder === undefined ? runs : fileStore(join(folder, 'calibration'));
}

export function calibrationFileName(id: string): string {
  const safe = id.replace(/[^\w-]+/g, '-').slice(0, 80);
  return safe === id ? id : `${safe}-${hashText(id).slice(0, 8)}`;
}

/** Returns where it is stored. */
export async function keepRecord(
  { files }: StoreHandle,
  cwd: string,
  { folder = 'calibration', name, record }: KeptRecord,
): Promise<string> {
  await files.prepare();
  const file = join(folder, `${name}.json`);
  await writeJson(files, file, record);
  return files.shown(cwd, file);
}

interface KeptRecord {
  readonly folder?: 'calibration' | 'certificates';
  readonly name: string;
  readonly record: object;
}

/**
 * Checks by code that passed are left out: the answer is about the whole version, not about them.
 * One that failed stays, so that a rejection is not taken as an answer about the model that passed
 * the same version.
 */
function judgeVerdicts(
  { reviews, judges = [] }: Pick<RunReport, 'reviews' | 'judges'>,
  records: readonly JournalRecord[],
): VerdictsOfVersions {
  const code = new Set(judges.filter(({ tier }) => tier === 'code').map(({ id }) => id));
  const header = records.find((record) => record.type === 'run');
  return new Map(
    reviews.map(({ version, assessments }) => {
      const said = assessments
        .filter(({ decidedBy }) => decidedBy === undefined)
        .filter(({ criterion, verdict }) =>
          verdict === 'pass' ? !code.has(criterion) : verdict === 'fail',
        )
        .map(({ criterion, verdict, score, grade }) => {
          // the journal contains it as `VERSION (TIER)`
          const [of] = (header?.parts?.[`reviewer ${criterion}`] ?? '').split(' ');
          // a grade tells how sure the judge is; the score of all that reaches the bar is 1
          const sure = grade === undefined ? score : shareOfScale(grade);
          const about = { ...(sure !== undefined && { score: sure }), ...(of && { version: of }) };
          const given: LabelledVerdict = {
            verdict: verdict === 'pass' ? 'pass' : 'fail',
            ...about,
          };
          return [criterion, given] as const;
        });
      return [version, Object.fromEntries(said)];
    }),
  );
}

const mostBytes = 200_000_000;

export async function readLabelFile(io: Io, file: string): Promise<ReadLabel[]> {
  const shown = file === '-' ? 'standard input' : file;
  const read =
    file === '-'
      ? textOf(await io.readStdin(mostBytes))
      : await readTextFile(resolve(io.cwd, file), { shown, maxBytes: mostBytes });
  if (read.kind !== 'text')
    throw new ReviewLoopError(calibrationErrors.labels_invalid, `${shown} is not a UTF-8 text`, {
      value: file,
    });
  return readLabels(read.text, shown);
}
