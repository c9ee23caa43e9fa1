import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Io } from '../../cli-kit/io.js';
import { outcomeExitCode } from '../../cli-kit/outcome-exit-code.js';
import { withAdvice } from '../../cli-kit/show/error-text.js';
import { shortIdOf } from '../../cli-kit/show/next-command.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import type { RequirementCoverage } from '../../core/coverage.js';
import type { ArtifactCriterion } from '../../criteria/artifact-criterion.js';
import { definePipeline } from '../../pipeline/define-pipeline.js';
import type { Pipeline } from '../../pipeline/pipeline-options.js';
import { systemClock } from '../../ports/clock.js';
import { redactJson } from '../../redact/redact-json.js';
import { reportRun } from '../../reports/report-run.js';
import { saveRun } from '../../reports/run-folder.js';
import { recordRun } from '../../reports/run-recorder.js';
import { summaryMarkdown } from '../../reports/summary-markdown.js';
import { thresholdBars } from '../../reports/threshold-bars.js';
import { evidenceFinder } from '../../requirements/evidence.js';
import { requirementCoverage } from '../../reviewers/requirement-coverage.js';
import { type AgentOutput, type AgentRequest, agentRequest } from '../../self-review/agent.js';
import { paintFor } from '../../terminal/colours.js';
import { sanitise, terminalSafeJson } from '../../terminal/sanitise.js';
import { demoChecks, demoPage, scriptedAnswer, scriptedProducer } from './demo-script.js';
import { demoText } from './demo-text.js';

/** Options of {@link runDemo}. */
export interface DemoOptions {
  /** The folder of the example. */
  readonly folder: string;
  readonly store: StoreHandle;
  readonly format: 'text' | 'json';
}

/**
 * Reviews the example until it is approved, stores the run and shows it.
 *
 * @returns The exit code.
 * @throws ReviewLoopError `output_unwritable`
 */
export async function runDemo(io: Io, { folder, store, format }: DemoOptions): Promise<number> {
  const task = await readFile(join(folder, 'task.md'), 'utf8');
  const content = await readFile(join(folder, demoPage), 'utf8');
  const page = { artifacts: [{ type: 'mockup', path: demoPage, content }] };
  await store.prepare();
  const { htmlCriteria } = await import('../../criteria/html/html-criteria.js');
  const checks = htmlCriteria({ language: 'en' });
  const pipeline = demoPipeline(page, checks, store);
  const recorder = recordRun(pipeline, {
    reviewers: [...checks, { id: 'requirements', tier: 'code' }],
  });
  const fixers = new Set<string>();
  pipeline.on('fix-apply', ({ gap }) => void fixers.add(gap));
  const startedAt = systemClock.now();
  const outcome = await pipeline.run(agentRequest({ id: 'task.md', description: task }), {
    signal: io.signal,
  });
  const exitCode = outcomeExitCode(outcome, undefined);
  const report = redactJson(
    reportRun(withAdvice(outcome), {
      at: new Date(startedAt).toISOString(),
      durationMs: Math.max(0, systemClock.now() - startedAt),
      task: { source: 'task.md', text: task },
      criteria: { chosen: ['html', 'requirements'], reason: 'the demo', names: namesOf(checks) },
      files: [{ path: demoPage, type: 'mockup', bytes: Buffer.byteLength(content) }],
      notReviewed: [],
      exitCode,
      changed: [demoPage],
      written: [],
      fixers,
      judges: recorder.judges(),
      pipeline: 'demo',
      bars: thresholdBars(),
    }),
  );
  await saveRun(store.files, {
    report,
    summary: summaryMarkdown(report, sanitise),
    output: outcome.output,
    versions: recorder.versions(),
  });
  const { writeHtml } = await import('../../cli-kit/reports/write-html.js');
  const place = join(store.local(io.cwd), 'runs', report.runId);
  const file = join(place, 'report.html');
  await writeHtml(file, [report], { store, cwd: io.cwd });
  await io.out(
    format === 'json'
      ? `${terminalSafeJson(report)}\n`
      : demoText(report, {
          columns: io.outColumns,
          paint: paintFor(io.colours),
          page: relative(io.cwd, file),
          next: `reviewloop runs ${await shortIdOf(store.files, report.runId)}${store.words(io.cwd)}`,
        }),
  );
  return exitCode === 1 || exitCode === 130 ? exitCode : 0;
}

/** Creates the pipeline: checks of HTML, the requirements, a scripted producer and a person. */
function demoPipeline(
  page: AgentOutput,
  checks: readonly ArtifactCriterion[],
  { runs, audit }: StoreHandle,
): Pipeline<AgentRequest, AgentOutput> {
  return definePipeline<AgentRequest, AgentOutput>({
    name: 'demo',
    produce: async () => page,
    address: scriptedProducer,
    reviewers: [
      ...checks,
      requirementCoverage<AgentOutput, AgentRequest>({
        extractRequirements: async ({ context }) => listedIn(context.task.description ?? ''),
        deciders: [demoChecks],
        words: 'hint',
        checkRequirementCovered: mentionsOf,
        judge: scriptedAnswer,
        version: 'demo/1',
      }),
    ],
    store: runs,
    audit,
  });
}

function namesOf(checks: readonly ArtifactCriterion[]): Record<string, string> {
  return Object.fromEntries(checks.map(({ id, name }) => [id, name]));
}

function listedIn(task: string): string[] {
  return task.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
}

/** Returns where the words of a requirement occur. */
async function mentionsOf(
  requirement: string,
  { artifacts }: AgentOutput,
): Promise<RequirementCoverage> {
  const find = await evidenceFinder(
    artifacts.map(({ path, content = '' }) => ({ file: path, text: content })),
  );
  const { confidence, evidence } = find(requirement);
  return {
    requirement,
    source: 'explicit',
    covered: false,
    state: 'unsure',
    coverageDetails: '',
    confidence,
    evidence: [...evidence],
  };
}
