import { join } from 'node:path';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { hashText } from '../../core/hash.js';
import type { StoreFiles } from '../../node/store-file.js';
import type { Store } from '../../ports/store.js';
import { redactJson } from '../../redact/redact-json.js';
import { listRuns, storedContent } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import type { AgentOutput } from '../../self-review/agent.js';
import { fileStore } from '../../stores/file/index.js';
import { type AnswerLabel, labelsOfJournal } from '../answer-labels.js';
import { judgeVerdicts } from './judge-verdicts.js';

/**
 * Returns the answers of people in stored runs as labels, without secrets, and the number of answers
 * about versions that were not stored.
 */
export async function storedLabels({
  files,
  runs,
}: StoreHandle): Promise<{ readonly labels: readonly AnswerLabel[]; readonly lost: number }> {
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
  // oldest first
  labels.sort((a, b) => a.at.localeCompare(b.at));
  return { labels, lost };
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

/** Returns where the runs of a calibration are stored: apart from others, if the store has a folder. */
export function calibrationRuns({ folder, runs }: StoreHandle): Store {
  return folder === undefined ? runs : fileStore(join(folder, 'calibration'));
}

/** Returns a file name that any file system takes and that is unique to the judge. */
export function calibrationFileName(id: string): string {
  const safe = id.replace(/[^\w-]+/g, '-').slice(0, 80);
  return safe === id ? id : `${safe}-${hashText(id).slice(0, 8)}`;
}
