import { openStores } from '../../cli-kit/run-stores.js';
import { insideFolder } from '../../node/safe-path.js';
import { redactJson } from '../../redact/redact-json.js';
import { listRuns, storedContent } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import type { AgentOutput } from '../../self-review/agent.js';
import { type AnswerLabel, labelsOfJournal } from '../answer-labels.js';
import { judgeVerdicts } from './judge-verdicts.js';

/**
 * Returns the answers of people in stored runs as labels, without secrets, and the number of answers
 * about versions that were not stored.
 */
export async function storedLabels(
  folder: string,
): Promise<{ readonly labels: readonly AnswerLabel[]; readonly lost: number }> {
  const { store } = openStores(folder);
  const labels: AnswerLabel[] = [];
  let lost = 0;
  for (const run of await listRuns(folder)) {
    if (run.kind !== 'report') continue;
    const { report } = run;
    const records = (await store.read(report.runId)) ?? [];
    if (records.every(({ type }) => type !== 'answer')) continue;
    const found = labelsOfJournal(
      records,
      await storedVersion(folder, report),
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
  folder: string,
  { runId, version, files }: RunReport,
): Promise<{ digest: string; output: AgentOutput } | undefined> {
  if (version === undefined) return undefined;
  const place = insideFolder(`${folder}/runs`, runId);
  const artifacts = await Promise.all(
    files.map(async ({ path, type }) => ({
      path,
      type,
      content: await storedContent(place, path),
    })),
  );
  // a file system that ignores case keeps one of two files whose names differ in nothing else
  const names = new Set(artifacts.map(({ path }) => path.toLowerCase()));
  return names.size === artifacts.length && artifacts.every(({ content }) => content !== undefined)
    ? { digest: version, output: { artifacts } as AgentOutput }
    : undefined;
}
