import { answerOf, questionFor } from '../../cli-kit/answer-question.js';
import { decidedVersion } from '../../cli-kit/decisions-of.js';
import type { Io } from '../../cli-kit/io.js';
import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import type { HumanAnswer } from '../../core/human.js';
import type { Outcome } from '../../core/outcome.js';
import { engineErrors } from '../../engine/errors.js';
import type { Pipeline } from '../../pipeline/pipeline-options.js';
import type { RunRecorder } from '../../reports/run-recorder.js';
import { type AgentOutput, type AgentRequest, agentRequest } from '../../self-review/agent.js';
import type { AnsweredRun } from './answered-run.js';
import { saveAnswer } from './save-answer.js';

/** A stored run with its answer, and what follows it while it continues. */
export interface RecordedAnswer extends AnsweredRun {
  readonly recorder: RunRecorder;
}

/**
 * Continues a run with its answer, or overrides the decision of an ended run.
 *
 * @throws ReviewLoopError `request_answered` after an earlier answer, `request_expired`
 */
export async function continueRun(
  io: Io,
  pipeline: Pipeline<AgentRequest, AgentOutput>,
  answered: RecordedAnswer,
): Promise<Outcome<AgentOutput>> {
  const { settings, report } = answered;
  const { runId, version } = report;
  const options = { signal: io.signal };
  const answer = answerOf(settings, report);
  const ended = () => continueWithout(io, pipeline, answered);
  if (answer.kind === 'decide')
    try {
      return await pipeline.decide({ runId, digest: decidedVersion(report) }, answer, options);
    } catch (error) {
      throw await endExpired(error, ended);
    }
  if (report.status !== 'suspended')
    return pipeline.override(
      { runId, digest: version ?? '' },
      { by: settings.by, reason: settings.reason ?? '' },
      options,
    );
  const earlier = await earlierAnswer(answered);
  if (earlier !== undefined) {
    const { status } = await ended();
    throw new ReviewLoopError(
      engineErrors.request_answered,
      `run ${runId} was answered before, with ${earlier.kind} by ${earlier.by}, and is ${status} now`,
      { value: runId },
    );
  }
  const question = questionFor(report, settings.question);
  try {
    return await pipeline.answer(
      { runId, id: question.id, digest: question.digest },
      answer,
      options,
    );
  } catch (error) {
    throw await endExpired(error, ended);
  }
}

/** Ends the run of a question that has expired, and returns the error. */
async function endExpired(
  error: unknown,
  ended: () => Promise<Outcome<AgentOutput>>,
): Promise<unknown> {
  if (!isReviewError(error) || error.code !== 'request_expired') return error;
  const { status } = await ended();
  return new ReviewLoopError(
    engineErrors.request_expired,
    `${messageOf(error)}; the run is ${status} now`,
  );
}

/** Continues with the recorded answers only, and stores the outcome. */
async function continueWithout(
  io: Io,
  pipeline: Pipeline<AgentRequest, AgentOutput>,
  answered: RecordedAnswer,
): Promise<Outcome<AgentOutput>> {
  const { report, request, recorder } = answered;
  const { source, text } = request.task;
  const outcome = await pipeline.run(agentRequest({ id: source, description: text }), {
    runId: report.runId,
    signal: io.signal,
  });
  if (outcome.status !== 'cancelled')
    await saveAnswer(answered, {
      outcome,
      fixers: new Set(),
      durationMs: report.durationMs,
      recorder,
    });
  return outcome;
}

/**
 * Returns the recorded answer that the stored report lacks because the answering process was
 * killed.
 */
async function earlierAnswer({ settings, report }: AnsweredRun): Promise<HumanAnswer | undefined> {
  const records = (await settings.store.runs.read(report.runId)) ?? [];
  const open = new Set(report.requests?.map(({ id }) => id));
  for (const record of records)
    if (record.type === 'answer' && open.has(record.id)) return record.answer;
  return undefined;
}
