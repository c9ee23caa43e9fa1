import { resolve } from 'node:path';
import type { Diff } from '../../../core/diff/diff-source.js';
import { plural, shortList } from '../../../core/plural.js';
import {
  redactJsonAsync,
  redactSecretsAsync,
} from '../../../core/redact/redact-with-secretlint.js';
import { redactSecrets } from '../../../core/redact/secrets.js';
import { repositoryAbove } from '../../../node/folder-state.js';
import { gitDiff } from '../../../node/git/git-diff.js';
import { filesInTwoVersions } from '../../../node/git/repository.js';
import { oneLine, sanitise } from '../../../node/terminal/sanitise.js';
import { systemClock } from '../../../ports/clock.js';
import type { HumanTexts } from '../../../ports/human-gate.js';
import { systemRandom } from '../../../ports/random.js';
import type { CompletedWork } from '../../../products/reviewer-stage/completed-work.js';
import type { ReviewerStage } from '../../../products/reviewer-stage/reviewer-stage.js';
import type { StageResult } from '../../../products/reviewer-stage/stage-result.js';
import {
  assessmentLines,
  decisionLines,
  humanReviewLines,
  overrideLines,
} from '../../../products/reviewer-stage/stage-text.js';
import { merged } from '../../cli-kit/flags/merged.js';
import { readTask } from '../../cli-kit/inputs/read-task.js';
import type { Io } from '../../cli-kit/io.js';
import { chooseLimited, providerLimits } from '../../cli-kit/provider/choose-provider.js';
import { providerChoice } from '../../cli-kit/provider/provider-choice.js';
import { userName } from '../../cli-kit/require-person.js';
import { carryOut } from '../../cli-kit/runs/carry-out.js';
import { warnAboutSecrets } from '../../cli-kit/secrets/find-secrets.js';
import { reviewLine } from '../../cli-kit/show/next-command.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { allowedIn } from '../../config/load-allowed-secrets.js';
import { Prompts } from '../../people/prompts.js';
import { terminalPerson } from '../../people/terminal-person.js';
import { saveRequest, startedHere } from '../../reports/run-folder.js';
import { buildStage, lacksModel, loadReviewer, stageSources } from './build-stage.js';
import { type Say, type StageWays, sayer } from './show-end.js';
import { readFacts, verifyWork, withoutOwnFiles, workOf } from './stage-facts.js';
import { diffRequest, type StageSettings } from './stage-flags.js';
import { type StageRequest, stageSettingsIn } from './stage-request.js';
import { type Settled, stageRun } from './stage-run.js';

interface DiffCall {
  readonly settings: StageSettings;
  readonly store: StoreHandle;
  /** The arguments that run the command again; `undefined` if it cannot be repeated. */
  readonly again: StageWays['again'];
}

/** If the policy requires it, asks the person at the terminal. */
export async function reviewDiff(io: Io, { settings, store, again }: DiffCall): Promise<number> {
  const { format, quiet, report, require } = settings;
  const shown = { format, quiet, report, require };
  const call = { io, store, watchdogEntry: undefined, cwd: io.cwd, ...shown };
  return carryOut(call, {
    times: 'diff',
    open: async () => {
      const say = sayer(io, format);
      const prepared = await prepareDiff(io, { settings, store, again }, say);
      const { stage, request, changed, commands, model } = prepared;
      await store.prepare();
      await saveRequest(store.files, request);
      const verified = await verifyWork(commands, { cwd: io.cwd, signal: io.signal });
      const verificationResults = [
        ...changed.verificationResults,
        ...(await redactJsonAsync(verified)),
      ];
      if (verificationResults.length > 0) await say([verifierLine(verificationResults), '']);
      const work = { ...changed, verificationResults };
      const { runId } = request;
      return stageRun(call, {
        ...{ stage, request, say, again, model },
        act: async () => ({ result: await stage.review(work, { runId, signal: io.signal }) }),
        settle: (judged, keep) => askAtTerminal({ io, stage, say }, judged, { format, keep }),
      });
    },
  });
}

/** Refuses work that cannot be reviewed before anything is stored. */
async function prepareDiff(io: Io, { settings, store, again }: DiffCall, say: Say) {
  const { quiet } = settings;
  const loaded = await loadReviewer(io.cwd, settings.config);
  const { config, file, learn, secrets, honest } = loaded;
  const { verify, allowTruncated } = merged(stageSources, settings, config);
  const task = await readTask(io, settings);
  const allowedSecrets = allowedIn(repositoryAbove(io.cwd) ?? io.cwd, secrets.entries);
  const { allowUnseen } = config;
  const facts = { ...(await readFacts(io.cwd, settings)), allowedSecrets, allowUnseen };
  const { cwd, signal } = io;
  const source = gitDiff({ cwd, paths: settings.paths });
  const whole = await source.diff(diffRequest(settings), { signal });
  const { task: taskFile, plan, results, verification } = settings;
  const own = [taskFile, plan, results, verification, file, secrets.baseline];
  const diff = withoutOwnFiles(whole, io.cwd, own);
  const limit = providerLimits(loaded.limits, store.limits);
  const chosen = providerChoice(settings) ?? loaded.provider;
  const provider = await chooseLimited(io, chosen, { quiet, limit });
  const text = await redactSecretsAsync(task.request.context.task.description ?? '');
  const request = newStageRequest(io, settings, {
    diff,
    own,
    config: file,
    allowTruncated,
    task: { source: task.source, text },
    again,
  });
  const given = { request, config, provider, store, learn, allowedSecrets, honest, say };
  const stage = await buildStage(io, given);
  if (!quiet) await warnAboutSecrets(io, secrets.entries);
  if (!quiet) await warnAboutVersions(io, settings);
  return {
    stage,
    request,
    changed: await workOf(diff, request, { facts, signal: io.signal }),
    commands: verify,
    model: !lacksModel({ config, provider }),
  };
}

interface Keeping {
  readonly format: 'text' | 'json';
  readonly keep: (result: StageResult) => Promise<void>;
}

/** The record is stored before, because a terminal may close. */
async function askAtTerminal(
  at: AtTerminal,
  judged: StageResult,
  { format, keep }: Keeping,
): Promise<Settled> {
  if (format !== 'text' || at.io.terminal === undefined) return { result: judged, shown: false };
  let result = judged;
  if (judged.outcome === 'suspended') {
    result = await askPerson(judged, at);
    await keep(result);
  }
  if (result.decision !== 'REJECTED') return { result, shown: false };
  await at.say(['', ...decisionLines(result, sanitise)]);
  return { result: await offerOverride(result, at), shown: true };
}

function verifierLine(
  results: readonly { readonly name: string; readonly passed: boolean }[],
): string {
  const failed = results.filter(({ passed }) => !passed).map(({ name }) => sanitise(name));
  return failed.length === 0
    ? '[VERIFIER] All checks passed ✓'
    : `[VERIFIER] ${failed.length} of ${results.length} checks failed ✗: ${failed.join(', ')}`;
}

const mostNamed = 5;

/** Of a staged version and another one in the folder, a review sees only one. */
export async function warnAboutVersions(io: Io, settings: StageSettings): Promise<void> {
  const { kind } = diffRequest(settings);
  if (kind === 'range') return;
  const { cwd, signal } = io;
  const files = await filesInTwoVersions(cwd, { paths: settings.paths, signal });
  if (files.length === 0) return;
  const named = shortList(files, mostNamed);
  const seen =
    kind === 'staged'
      ? 'this review sees the staged one'
      : 'this review sees the one in the folder; --staged reviews the other';
  io.err(
    `${oneLine(`warning: ${plural(files.length, 'file')} staged in another version than in the folder: ${named}; ${seen}`)}\n`,
  );
}

export interface KnownRequest {
  readonly diff: Diff;
  readonly own: readonly (string | false | undefined)[];
  readonly config: string | false;
  readonly allowTruncated: readonly string[];
  readonly task: StageRequest['task'];
  readonly again: StageWays['again'];
}

export function newStageRequest(
  io: Io,
  settings: StageSettings,
  { diff, own, config, allowTruncated, task, again }: KnownRequest,
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
    process: startedHere(),
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

interface AtTerminal {
  readonly io: Io;
  readonly stage: ReviewerStage;
  readonly say: (lines: readonly string[]) => Promise<void>;
}

/** Without a terminal or an answer, the review stays suspended. */
export async function askPerson(
  result: StageResult,
  { io, stage, say }: AtTerminal,
): Promise<StageResult> {
  let current = result;
  while (current.run.status === 'suspended' && io.terminal !== undefined) {
    const [request] = current.run.requests;
    const gate = terminalPerson({ by: userName(), mode: 'key', ...io.terminal });
    const answer = await gate.ask(request, textsOf(current), { signal: io.signal });
    if (answer === undefined) return current;
    await say([said(answer.kind)]);
    current = await stage.answer(
      { runId: request.runId, id: request.id, digest: request.digest },
      answer,
      { signal: io.signal },
    );
  }
  return current;
}

function said(kind: string): string {
  if (kind === 'approve') return '✓ Approved by user';
  return kind === 'reject' ? '✗ Declined by user' : `✓ Answered by user: ${kind}`;
}

const overridable: readonly StageResult['outcome'][] = ['rejected', 'escalated', 'timed_out'];

/** Any answer but yes means no. */
export async function offerOverride(
  result: StageResult,
  { io, stage, say }: AtTerminal,
): Promise<StageResult> {
  const { run } = result;
  if (
    io.terminal === undefined ||
    run.version === undefined ||
    !overridable.includes(result.outcome)
  )
    return result;
  const prompts = new Prompts(io.terminal, io.signal);
  let reason: string | undefined;
  try {
    const yes = await prompts.text('Override review rejection? [y/N]', (text) =>
      /^\s*(?:(?:y|yes|n|no)\s*)?$/i.test(text) ? undefined : 'Answer y or n.',
    );
    if (yes === undefined || !/^\s*y/i.test(yes)) return result;
    reason = await prompts.text('Reason for override:', (text) =>
      sanitise(text).trim() === '' ? 'This needs a reason.' : undefined,
    );
  } finally {
    prompts.close();
  }
  if (reason === undefined) return result;
  const given = { by: userName(), reason: sanitise(reason).trim() };
  const overridden = await stage.override({ runId: run.runId, digest: run.version }, given, {
    signal: io.signal,
  });
  if (overridden.outcome === 'overridden')
    await say(['', ...overrideLines(given.reason, sanitise)]);
  return overridden;
}

function textsOf(result: StageResult): HumanTexts {
  return {
    summary: humanReviewLines(result, sanitise).join('\n'),
    changes: changesText(result.run.output),
    details: [
      ...assessmentLines(result.dimensions, sanitise),
      '',
      ...(result.summary?.notes ?? []).map((note) => `  - ${sanitise(note)}`),
    ].join('\n'),
  };
}

function changesText(work: CompletedWork | undefined): string {
  const parts = (work?.changedFiles ?? []).map(({ path, status, diff, content, omitted }) => {
    if (diff !== undefined) return diff;
    if (content !== undefined) return `${status} ${path}\n${content.replace(/^/gm, '+')}`;
    return `${status} ${path} (${omitted ?? 'no text'})`;
  });
  return parts.join('\n');
}
