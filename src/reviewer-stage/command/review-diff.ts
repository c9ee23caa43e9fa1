import { resolve } from 'node:path';
import { readTask } from '../../cli-kit/inputs/read-task.js';
import type { Io } from '../../cli-kit/io.js';
import { chooseProvider } from '../../cli-kit/provider/choose-provider.js';
import { providerChoice } from '../../cli-kit/provider/provider-choice.js';
import { reportRuns } from '../../cli-kit/reports/report-runs.js';
import { prepareRuns } from '../../cli-kit/run-stores.js';
import { warnAboutSecrets } from '../../cli-kit/secrets/unused-allowances.js';
import { expectedTimes } from '../../cli-kit/show/expected-times.js';
import { reviewLine } from '../../cli-kit/show/next-command.js';
import { Progress } from '../../cli-kit/show/progress.js';
import { allowedIn } from '../../config/load-allowed-secrets.js';
import type { Diff } from '../../diff/diff-source.js';
import { processPlace } from '../../node/process-identity.js';
import { systemClock } from '../../ports/clock.js';
import { systemRandom } from '../../ports/random.js';
import { redactJsonAsync } from '../../redact/redact-json-async.js';
import { redactSecretsAsync } from '../../redact/redact-with-secretlint.js';
import { redactSecrets } from '../../redact/secrets.js';
import type { RunReport } from '../../reports/run-report.js';
import type { RunVersions } from '../../reports/run-versions.js';
import { paintFor } from '../../terminal/paint.js';
import { sanitise } from '../../terminal/sanitise.js';
import type { ReviewerStage } from '../reviewer-stage.js';
import { dimensionsOf } from '../stage-dimension.js';
import type { StageResult } from '../stage-result.js';
import { assessmentLines, decisionLines, startLine } from '../stage-text.js';
import { buildStage, lacksModel, loadReviewer, verifyCommands } from './build-stage.js';
import { diffOf, readFacts, rootOf, withoutOwnFiles, workOf } from './load-work.js';
import { recordStage } from './record-stage.js';
import { type SaveParts, saveStage, showEnd } from './save-stage.js';
import { diffRequest, type StageSettings } from './stage-flags.js';
import { askPerson, offerOverride } from './stage-person.js';
import { type StageRequest, saveStageRequest, stageSettingsIn } from './stage-request.js';
import { stageVersions } from './stage-versions.js';
import { verifyWork } from './verify-work.js';

type Say = (lines: readonly string[]) => Promise<void>;

/** A call of `reviewloop review --diff`. */
export interface DiffCall {
  readonly settings: StageSettings;
  readonly store: string;
  /** The arguments that run the command again; `undefined` if it cannot be repeated. */
  readonly again: SaveParts['again'];
}

/**
 * Reviews a diff as finished work, then stores and shows the result. If the policy requires it, it
 * asks the person at the terminal.
 *
 * @returns The exit code.
 * @throws ReviewLoopError for usage errors, and if a file cannot be read or written
 */
export async function reviewDiff(io: Io, { settings, store, again }: DiffCall): Promise<number> {
  const { format, quiet } = settings;
  const say = sayer(io, format);
  const {
    config,
    file,
    provider: configured,
    learn,
    secrets,
  } = await loadReviewer(
    io.cwd,
    typeof settings.config === 'string' ? resolve(io.cwd, settings.config) : settings.config,
  );
  const task = await readTask(io, settings);
  const allowedSecrets = allowedIn(rootOf(io.cwd) ?? io.cwd, secrets.entries);
  const { allowUnseen } = config;
  const facts = { ...(await readFacts(io.cwd, settings)), allowedSecrets, allowUnseen };
  const whole = await diffOf(
    { cwd: io.cwd, paths: [...settings.paths], diff: diffRequest(settings) },
    io.signal,
  );
  const own = [
    settings.task,
    settings.plan,
    settings.results,
    settings.verification,
    file,
    secrets.baseline,
  ];
  const diff = withoutOwnFiles(whole, io.cwd, own);
  const provider = await chooseProvider(io, providerChoice(settings) ?? configured, quiet);
  const text = await redactSecretsAsync(task.request.context.task.description ?? '');
  const request = requestOf(io, settings, {
    diff,
    own,
    config: file,
    allowTruncated: [...settings.allowTruncated, ...(config.allowTruncated ?? [])],
    task: { source: task.source, text },
    again,
  });
  const given = { request, config, provider, store, learn, allowedSecrets, say };
  const stage = await buildStage(io, given);
  if (!quiet) await warnAboutSecrets(io, secrets.entries);
  // refuses work that cannot be reviewed before it stores anything
  const changed = await workOf(diff, request, { facts, signal: io.signal });
  await prepareRuns(store);
  await saveStageRequest(store, request);
  const verified = await verifyWork(verifyCommands(config, request), {
    cwd: io.cwd,
    signal: io.signal,
  });
  const verificationResults = [
    ...changed.verificationResults,
    ...(await redactJsonAsync(verified)),
  ];
  if (verificationResults.length > 0) await say([verifierLine(verificationResults), '']);
  const work = { ...changed, verificationResults };
  const recorder = recordStage(stage);
  const expected = expectedTimes(store);
  const result = await followed(io, stage, { quiet, say, expected }, () =>
    stage.review(work, { runId: request.runId, signal: io.signal }),
  );
  const asked = { again, recorder, model: !lacksModel({ config, provider }) };
  const ended = await finishStage(io, stage, result, { request, store, format, say, ...asked });
  await reportRuns(io, settings.report, {
    reports: [ended.report],
    folder: store,
    cwd: io.cwd,
    versions: ended.versions,
  });
  return ended.exitCode;
}

/** A review that was stored and shown. */
interface EndedReview {
  readonly exitCode: number;
  readonly report: RunReport;
  readonly versions: RunVersions;
}

/** Stores and shows a judged review, and asks the person at the terminal. */
async function finishStage(
  io: Io,
  stage: ReviewerStage,
  judged: StageResult,
  parts: SaveParts & { readonly say: Say },
): Promise<EndedReview> {
  const { format, say } = parts;
  // stores the record before it asks a person, because a terminal may close
  await saveStage(judged, parts);
  let result = judged;
  const interactive = format === 'text' && io.terminal !== undefined;
  let shown = false;
  if (interactive && judged.outcome === 'suspended') {
    result = await askPerson(judged, { io, stage, say });
    await saveStage(result, parts);
  }
  if (interactive && result.decision === 'REJECTED') {
    await say(['', ...decisionLines(result, sanitise)]);
    shown = true;
    result = await offerOverride(result, { io, stage, say });
  }
  const report = await saveStage(result, parts);
  await showEnd(io, { result, report, shown }, parts);
  return { exitCode: result.exitCode, report, versions: stageVersions(result) };
}

/** Returns a function that prints lines on the screen, unless the output is JSON. */
export function sayer(io: Io, format: 'text' | 'json'): Say {
  const paint = paintFor(io.colours);
  const coloured = (line: string): string => {
    if (/^\s*(?:✓|\[COMPLETE\])/.test(line)) return paint('good', line);
    return /^\s*(?:✗|⚠)/.test(line) ? paint('bad', line) : line;
  };
  return async (lines) => {
    if (format === 'text' && io.reader !== 'agent')
      await io.out(`${lines.map(coloured).join('\n')}\n`);
  };
}

/** The settings of a review's screen. */
interface Screen {
  readonly quiet: boolean;
  readonly say: Say;
  /** The number of reviews of the run that were shown before. An answer replays them. @default 0 */
  readonly shown?: number;
  /** How long judges took in earlier runs. @default unknown */
  readonly expected?: Promise<ReadonlyMap<string, number>>;
}

/**
 * Runs a review with its screen: the first line, progress, and each review once, even if an answer
 * replays it.
 */
export async function followed(
  io: Io,
  stage: ReviewerStage,
  { quiet, say, shown = 0, expected }: Screen,
  run: () => Promise<StageResult>,
): Promise<StageResult> {
  const progress = quiet ? undefined : new Progress(io, { shown });
  const screens: Promise<void>[] = [];
  const before = Array.from({ length: shown }, (_, index) => index + 1);
  const started = new Set(before);
  const ended = new Set(before);
  stage.on('review-start', ({ iteration }) => {
    if (!started.has(iteration)) screens.push(say([...(iteration > 1 ? [''] : []), startLine, '']));
    started.add(iteration);
  });
  stage.on('review-end', ({ review }) => {
    if (!ended.has(review.iteration))
      screens.push(say(assessmentLines(dimensionsOf(stage.dimensions, review), sanitise)));
    ended.add(review.iteration);
  });
  if (expected !== undefined) progress?.expect(expected);
  progress?.follow(stage);
  try {
    return await run();
  } finally {
    progress?.stop();
    await Promise.all(screens);
  }
}

function verifierLine(
  results: readonly { readonly name: string; readonly passed: boolean }[],
): string {
  const failed = results.filter(({ passed }) => !passed).map(({ name }) => sanitise(name));
  return failed.length === 0
    ? '[VERIFIER] All checks passed ✓'
    : `[VERIFIER] ${failed.length} of ${results.length} checks failed ✗: ${failed.join(', ')}`;
}

interface Known {
  readonly diff: Diff;
  readonly own: readonly (string | false | undefined)[];
  readonly config: string | false;
  readonly allowTruncated: readonly string[];
  readonly task: StageRequest['task'];
  readonly again: SaveParts['again'];
}

function requestOf(
  io: Io,
  settings: StageSettings,
  { diff, own, config, allowTruncated, task, again }: Known,
): StageRequest {
  const { paths, session } = settings;
  const runId = systemRandom.id();
  const sessionId = session ?? runId.slice(0, 13);
  const asked = diffRequest(settings);
  return {
    ...stageSettingsIn(settings),
    allowTruncated: [...allowTruncated],
    kind: 'stage',
    schemaVersion: 2,
    runId,
    process: { pid: process.pid, place: processPlace() },
    ...(again && {
      command: redactSecrets(reviewLine(again({ fix: false, write: false, session: sessionId }))),
    }),
    sessionId,
    at: new Date(systemClock.now()).toISOString(),
    cwd: io.cwd,
    task,
    // the id of the base commit makes later commits irrelevant
    diff: asked.kind === 'working-tree' ? { kind: 'working-tree', base: diff.base } : asked,
    paths: [...paths],
    own: own.flatMap((path) => (typeof path === 'string' ? [path] : [])),
    base: diff.base,
    config: config === false ? false : resolve(io.cwd, config),
  };
}
