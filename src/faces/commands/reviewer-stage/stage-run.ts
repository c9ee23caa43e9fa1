import type { Artifact } from '../../../core/artifact.js';
import { redactJsonAsync } from '../../../core/redact/redact-with-secretlint.js';
import { repositoryAbove } from '../../../node/folder-state.js';
import { sanitise } from '../../../node/terminal/sanitise.js';
import {
  type CompletedWork,
  CompletedWorkSchema,
} from '../../../products/reviewer-stage/completed-work.js';
import type { ReviewerStage } from '../../../products/reviewer-stage/reviewer-stage.js';
import type { StageResult } from '../../../products/reviewer-stage/stage-result.js';
import { overrideLines, summaryPage } from '../../../products/reviewer-stage/stage-text.js';
import { providerChoice, reopenProvider } from '../../cli-kit/provider/provider-choice.js';
import { carryOut } from '../../cli-kit/runs/carry-out.js';
import type { FoundRun, OpenRun, RunCall } from '../../cli-kit/runs/run-kind.js';
import { quoted } from '../../cli-kit/show/listing.js';
import { allowedIn } from '../../config/load-allowed-secrets.js';
import { reportRun } from '../../reports/report-run.js';
import type { RunVersions } from '../../reports/run-folder.js';
import { recordRun } from '../../reports/run-recorder.js';
import type { AssessmentReport, RunReport } from '../../reports/run-report.js';
import { buildStage, loadReviewer } from './build-stage.js';
import { type Say, type StageWays, sayer, showEnd, showReviews, stageWays } from './show-end.js';
import type { StageRequest } from './stage-request.js';

export interface Settled {
  readonly result: StageResult;
  readonly shown: boolean;
}

export interface StageRun extends StageWays {
  readonly stage: ReviewerStage;
  readonly say: Say;
  readonly act: OpenRun<StageResult>['act'];
  /** What is stored about a review that goes on. @default the review is new */
  readonly before?: RunReport | undefined;
  readonly settle: (
    result: StageResult,
    store: (result: StageResult) => Promise<void>,
  ) => Promise<Settled>;
}

export function stageRun(call: RunCall, parts: StageRun): OpenRun<StageResult> {
  const { stage, request, say, act, before, settle } = parts;
  const reviewsShown = showReviews(stage, say, before?.reviews.length ?? 0);
  const reviewers = stage.dimensions.map(({ id, needsProvider }) => ({
    id,
    tier: needsProvider === true ? ('model' as const) : ('code' as const),
  }));
  let shown = false;
  return {
    run: stage,
    act: async () => {
      try {
        return await act();
      } finally {
        await reviewsShown();
      }
    },
    recorder: recordRun(stage, { reviewers, filesOf: changedFiles }),
    outcomeOf: ({ run }) => run,
    reportOf: (result, seen) => stageReport(request, result, seen),
    storedOf: ({ summary }) => ({
      summary: summary === undefined ? '' : summaryPage(summary, sanitise),
      output: undefined,
    }),
    settle: async (result, store) => {
      const settled = await settle(result, store);
      shown = settled.shown;
      return settled.result;
    },
    waysOf: (result, report) => stageWays(call, { result, report }, parts),
    show: (result, report, folder) => showEnd(call, { result, report, shown, folder }),
    versionsOf: countableFiles,
  };
}

async function stageReport(
  request: StageRun['request'],
  { run, dimensions, exitCode, summary }: StageResult,
  seen: Parameters<OpenRun<StageResult>['reportOf']>[1],
): Promise<RunReport> {
  const files = run.output?.changedFiles ?? [];
  const report = await redactJsonAsync(
    reportRun(run, {
      ...seen,
      at: request.at,
      durationMs: summary?.durationMs ?? 0,
      pipeline: 'reviewer-stage',
      task: { ...request.task },
      criteria: {
        chosen: dimensions.map(({ id }) => id),
        reason: 'the reviewer stage',
        names: Object.fromEntries(dimensions.map(({ id, name }) => [id, name])),
      },
      files: files.map(({ path, content, diff }) => ({
        path,
        type: 'code',
        bytes: Buffer.byteLength(content ?? diff ?? ''),
      })),
      notReviewed: files.flatMap(({ path, omitted }) =>
        omitted === undefined || omitted === 'content' ? [] : [{ path, reason: omitted }],
      ),
      exitCode,
      changed: [],
    }),
  );
  return inSettings(report);
}

function inSettings(report: RunReport): RunReport {
  const named = (assessment: AssessmentReport): AssessmentReport => ({
    ...assessment,
    text: assessment.text.replace(
      /`timeouts\.\w+`(?: or `timeouts\.\w+`)*/g,
      '`reviewer.timeout_seconds`',
    ),
  });
  return {
    ...report,
    failures: report.failures.map(named),
    reviews: report.reviews.map((review) => ({
      ...review,
      assessments: review.assessments.map(named),
    })),
  };
}

export function foundStageRun(report: RunReport, request: StageRequest): FoundRun {
  const { cwd, config } = request;
  return {
    report,
    needs: { config, cwd },
    next: `reviewloop resume ${quoted(report.runId)}`,
    goOn: (call, { act, kind }) =>
      carryOut(call, {
        times: 'diff',
        before: report,
        open: async () => {
          const { io, store, format } = call;
          const say = sayer(io, format);
          const loaded = await loadReviewer(cwd, config);
          const { learn, provider: configured, secrets, limits, honest } = loaded;
          const chosen = providerChoice(request) ?? configured;
          const provider = await reopenProvider(chosen, limits, store.limits);
          const stage = await buildStage(io, {
            ...{ request, config: loaded.config, provider, store, learn, honest, say },
            allowedSecrets: allowedIn(repositoryAbove(cwd) ?? cwd, secrets.entries),
          });
          return stageRun(call, {
            ...{ stage, request, say, before: report, again: undefined, model: true },
            act: () => act(stage),
            settle: async (result) => {
              if (kind === 'approve' && result.outcome === 'completed')
                await say(['✓ Approved by user']);
              const shown = result.run.status === 'accepted' && result.outcome === 'overridden';
              if (shown) await say(overrideLines(result.summary?.overrideReason ?? '', sanitise));
              return { result, shown };
            },
          });
        },
      }),
  };
}

/** A file without text is shown by its diff. */
function changedFiles(output: unknown): Artifact[] {
  const { data } = CompletedWorkSchema.safeParse(output);
  return (data?.changedFiles ?? []).map(({ path, content, diff }) => {
    const text = content ?? diff;
    return { type: 'code', path, ...(text !== undefined && { content: text }) };
  });
}

/**
 * For reports that count columns. Files with a removed secret are left out: their columns have
 * moved.
 */
export function countableFiles({ run }: StageResult): RunVersions {
  if (run.version === undefined) return {};
  const files: CompletedWork['changedFiles'] = run.output?.changedFiles ?? [];
  return {
    [run.version]: files.flatMap(({ path, content }) =>
      content === undefined || content.includes('[REDACTED:')
        ? []
        : [{ path, type: 'code', content }],
    ),
  };
}
