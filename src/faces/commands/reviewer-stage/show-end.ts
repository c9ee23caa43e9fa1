import { shortList } from '../../../core/plural.js';
import { redactJsonAsync } from '../../../core/redact/redact-with-secretlint.js';
import { paintFor } from '../../../node/terminal/colours.js';
import { sanitise, terminalSafeJson } from '../../../node/terminal/sanitise.js';
import type { ReviewerStage } from '../../../products/reviewer-stage/reviewer-stage.js';
import { dimensionsOf } from '../../../products/reviewer-stage/stage-dimension.js';
import type { StageResult } from '../../../products/reviewer-stage/stage-result.js';
import {
  assessmentLines,
  decisionLines,
  startLine,
} from '../../../products/reviewer-stage/stage-text.js';
import type { Io } from '../../cli-kit/io.js';
import { waysFor } from '../../cli-kit/require-person.js';
import type { RunCall } from '../../cli-kit/runs/run-kind.js';
import {
  decideCommand,
  idOf,
  inboxWay,
  type MoreArguments,
  mayOverride,
  nextLines,
  overrideWay,
  reviewLine,
  shortIdOf,
  waitingWay,
  way,
  whatDecides,
} from '../../cli-kit/show/next-command.js';
import { agentReport } from '../../cli-kit/show/render-report.js';
import type { RunReport, WayOn } from '../../reports/run-report.js';
import { runWords } from '../../reports/run-words.js';
import { countsText } from '../../reports/verdict-counts.js';
import { headline } from '../../reports/verdict-words.js';
import type { StageRequest } from './stage-request.js';
import { endWord } from './stored-reviews.js';

export interface StageWays {
  readonly request: StageRequest;
  /** The arguments that run the command again; `undefined` if it cannot be repeated. */
  readonly again: ((more: MoreArguments) => readonly string[]) | undefined;
  readonly model: boolean;
}

export interface EndedStage {
  readonly result: StageResult;
  readonly report: RunReport;
  readonly shown: boolean;
  /** Where it is stored, if it could be. */
  readonly folder: string | undefined;
}

export async function showEnd({ io, format }: RunCall, ended: EndedStage): Promise<void> {
  const { result, report } = ended;
  if (format === 'text')
    return io.out(io.reader === 'agent' ? agentReport(report) : endText(ended));
  const { summary, feedback, decision, outcome, reasoning, cycles, code } = result;
  const data = {
    schemaVersion: 1,
    runId: report.runId,
    status: report.status,
    decision,
    outcome,
    reasoning,
    cycles,
    code: code ?? null,
    exitCode: report.exitCode,
    feedback: feedback ?? null,
    summary: summary ?? null,
    requests: report.requests ?? [],
    next: waysFor(io, report.next),
    words: runWords(report),
    undecided: report.undecided,
    counts: report.counts ?? null,
  };
  return io.out(`${terminalSafeJson(await redactJsonAsync(data))}\n`);
}

export async function stageWays(
  { store, cwd }: RunCall,
  { result, report }: Pick<EndedStage, 'result' | 'report'>,
  { again, model, request }: StageWays,
): Promise<readonly WayOn[]> {
  const shortId = await shortIdOf(store.files, report.runId);
  const flag = store.words(cwd);
  if (result.outcome === 'suspended') return [waitingWay(report, shortId, flag), inboxWay(flag)];
  if (!mayOverride(report)) return [way(`reviewloop runs ${shortId} --summary${flag}`)];
  const override = overrideWay(shortId, flag);
  const repeat = (why: string, more?: Omit<MoreArguments, 'fix' | 'write'>): WayOn[] => {
    const same = more === undefined ? request.command : undefined;
    const line = again ? reviewLine(again({ fix: false, write: false, ...more })) : same;
    return line === undefined ? [] : [way(line, why)];
  };
  const tooLarge = report.notReviewed.flatMap(({ path, reason }) =>
    reason === 'too_large' ? [path] : [],
  );
  if (report.failures.length > 0) {
    const [retry] =
      tooLarge.length > 0
        ? repeat('judges the large files in part', { allowTruncated: tooLarge })
        : repeat('asks the failed judges again', { session: request.sessionId });
    return retry === undefined ? [override] : [retry, override];
  }
  const decide = decideCommand(report, shortId, flag);
  const asking =
    model || decide === undefined ? [] : repeat('a model decides', { provider: 'ollama:MODEL' });
  const decides = decide === undefined ? [] : [way(decide, whatDecides)];
  const edited = result.decision === 'REJECTED' ? repeat('after you fixed the issues') : [];
  return [...edited, ...decides, ...asking, override];
}

function statusText(result: EndedStage['result'], report: EndedStage['report']): string {
  const left =
    report.status === 'exhausted'
      ? ', no review is left'
      : report.checksPassed
        ? ', but the checks passed, and --require checks asks for no more'
        : '';
  return `${endWord(report, result)}${left}${result.code === undefined ? '' : ` (${result.code})`}`;
}

function endText({ result, report, shown, folder }: EndedStage): string {
  const omitted = report.notReviewed.map(({ path, reason }) => sanitise(`${path} (${reason})`));
  return [
    ...(shown ? [] : ['', ...decisionLines(result, sanitise)]),
    ...openLines(report),
    ...(omitted.length === 0 ? [] : ['', `not reviewed in full: ${shortList(omitted, 10)}`]),
    '',
    sanitise(headline(report)),
    `status: ${statusText(result, report)}`,
    ...(folder === undefined ? [] : [`stored: ${folder}`]),
    ...nextLines(report),
    '',
  ].join('\n');
}

function openLines(report: RunReport): string[] {
  const ids = report.undecided.map(idOf);
  if (ids.length === 0) return [];
  const counts = report.counts === undefined ? [] : [`checks: ${countsText(report.counts)}`];
  return ['', ...counts, `undecided: ${ids.join(', ')}`];
}

export type Say = (lines: readonly string[]) => Promise<void>;

/** Prints nothing if the output is JSON. */
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

/**
 * Shows each once, even if an answer replays it: the first `shown` of them were shown before.
 * Returns what waits until all are printed.
 */
export function showReviews(stage: ReviewerStage, say: Say, shown: number): () => Promise<void> {
  const screens: Promise<void>[] = [];
  let started = shown;
  let ended = shown;
  stage.on('review-start', ({ iteration }) => {
    if (iteration > started) screens.push(say([...(iteration > 1 ? [''] : []), startLine, '']));
    started = Math.max(started, iteration);
  });
  stage.on('review-end', ({ review }) => {
    if (review.iteration > ended)
      screens.push(say(assessmentLines(dimensionsOf(stage.dimensions, review), sanitise)));
    ended = Math.max(ended, review.iteration);
  });
  return async () => void (await Promise.all(screens));
}
