import { resolve } from 'node:path';
import type { Io } from '../../cli-kit/io.js';
import { openStores } from '../../cli-kit/run-stores.js';
import { plural } from '../../core/plural.js';
import { writeFileAtomic } from '../../node/files.js';
import { shownPath } from '../../node/mounted-folder.js';
import { insideFolder } from '../../node/safe-path.js';
import { redactJson } from '../../redact/redact-json.js';
import { listRuns, storedContent } from '../../reports/run-folder.js';
import type { RunReport } from '../../reports/run-report.js';
import type { AgentOutput } from '../../self-review/agent.js';
import { type AnswerLabel, labelsOfJournal } from '../answer-labels.js';

/**
 * Writes the answers of people in stored runs as labels.
 *
 * @param target - A file, or - for the standard output.
 * @returns The exit code.
 */
export async function exportLabels(io: Io, folder: string, target: string): Promise<number> {
  const { store } = openStores(folder);
  const labels: AnswerLabel[] = [];
  let lost = 0;
  for (const run of await listRuns(folder)) {
    if (run.kind !== 'report') continue;
    const found = labelsOfJournal(
      (await store.read(run.report.runId)) ?? [],
      await storedVersion(folder, run.report),
    );
    labels.push(...found.labels);
    lost += found.lost;
  }
  const text = labels.map((label) => `${JSON.stringify(redactJson(label))}\n`).join('');
  if (target === '-') await io.out(text);
  else await writeFileAtomic(resolve(io.cwd, target), text);
  const good = labels.filter(({ label }) => label === 'pass').length;
  const missing =
    lost === 0 ? '' : `; skipped ${plural(lost, 'answer')} about versions that were not stored`;
  io.err(
    [
      plural(labels.length, 'label'),
      `(${good} pass, ${labels.length - good} fail)`,
      `from ${shownPath(io.cwd, folder)}${missing}
`,
    ].join(' '),
  );
  return 0;
}

/** Returns the version that was stored with the run. */
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
  return artifacts.every(({ content }) => content !== undefined)
    ? { digest: version, output: { artifacts } as AgentOutput }
    : undefined;
}
