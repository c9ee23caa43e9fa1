import * as z from 'zod';
import { isReviewError, ReviewLoopError } from '../../core/errors.js';
import { namedValues } from '../../core/text/keys.js';
import { likelyKey } from '../../core/text/schema-problems.js';
import type { FinishedStep } from '../../products/quality-gate/finished-step.js';
import { GateAnswerSchema } from '../../products/quality-gate/gate-result.js';
import type { StepState } from '../../products/quality-gate/gate-state.js';
import type { Workflows } from './workflows.js';

export interface GateTool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly call: (input: unknown, signal: AbortSignal) => Promise<object>;
}

export function gateTools(workflows: Workflows): readonly GateTool[] {
  return [
    startWorkflow(workflows),
    finishedStep(workflows),
    reviewStatus(workflows),
    getInstructions(workflows),
    submitVerdict(workflows),
  ];
}

const sessionId = z.string().min(1).describe('the session_id that start_workflow returned');

const stepId = z.string().min(1).describe('the id of the step in the job file');

const outputs = namedValues(z.union([z.string(), z.array(z.string())])).describe(
  'by name: a path, a list of paths or a text, as the step declares',
);

const VerdictSchema = strictInput({
  ...GateAnswerSchema.shape,
  criteria_results: z
    .array(
      strictInput({
        criterion: z.string(),
        passed: z.boolean(),
        feedback: z.string().nullable().optional(),
      }),
    )
    .optional(),
});

function startWorkflow(workflows: Workflows): GateTool {
  return tool({
    name: 'start_workflow',
    description:
      'Starts a workflow from a job file and returns its first step. The job file is ' +
      'YAML or JSON below the project root.',
    input: strictInput({
      job_file: z.string().min(1).describe('the path of the job file, relative to the root'),
    }),
    call: ({ job_file }) => workflows.start(job_file),
  });
}

function finishedStep(workflows: Workflows): GateTool {
  return tool({
    name: 'finished_step',
    description:
      'Reports that a step is finished, with its outputs. Returns the next step, or what to ' +
      'do before the gate opens. Outputs that were handed in once cannot be left out later.',
    input: strictInput({
      session_id: sessionId,
      step_id: stepId,
      outputs,
      notes: z.string().optional().describe('notes about the work, for the reviewer'),
      quality_review_override_reason: z
        .string()
        .optional()
        .describe(
          'why the gate may open without its own review; recorded; opens no verified workflow',
        ),
    }),
    call: async (input, signal) => {
      const named = { session: input.session_id, step: input.step_id };
      try {
        const session = await workflows.session(input.session_id);
        const answer = await session.finishedStep({
          stepId: input.step_id,
          outputs: input.outputs,
          notes: input.notes,
          qualityReviewOverrideReason: input.quality_review_override_reason,
          signal,
        });
        return { ...answer, next: nextForAgent(answer, named) ?? null };
      } catch (error) {
        throw withWayOut(error, named);
      }
    },
  });
}

function reviewStatus(workflows: Workflows): GateTool {
  return tool({
    name: 'review_status',
    description: 'Returns the state of every step of a workflow.',
    input: strictInput({ session_id: sessionId }),
    call: async ({ session_id: id }) =>
      withoutTokens(await (await workflows.session(id)).reviewStatus()),
  });
}

function getInstructions(workflows: Workflows): GateTool {
  return tool({
    name: 'get_instructions',
    description:
      'Returns the path of the review instructions of a step. A subagent should read them, not the author of the work.',
    input: strictInput({ session_id: sessionId, step_id: stepId }),
    call: async ({ session_id: id, step_id }) =>
      (await workflows.session(id)).getInstructions(step_id),
  });
}

function submitVerdict(workflows: Workflows): GateTool {
  return tool({
    name: 'submit_verdict',
    description:
      'Submits the verdict of the reviewer of a step. The instructions contain the ' +
      'hash and the token. The verdict counts only for the outputs with this hash. A fail ' +
      'stands until they change. A pass must answer every criterion.',
    input: strictInput({
      session_id: sessionId,
      step_id: stepId,
      reviewer: z.string().min(1).describe('the name of the reviewer'),
      hash: z.string().describe('the hash in the instructions'),
      token: z.string().describe('the token in the instructions'),
      result: VerdictSchema,
    }),
    call: async ({ session_id: id, step_id, ...verdict }) => {
      const session = await workflows.session(id);
      const { status, attempts, feedback, verdicts, unanswered } = await session.submitVerdict({
        stepId: step_id,
        ...verdict,
      });
      const passed = verdicts.at(-1)?.passed === true;
      return { status, passed, attempts, feedback, unanswered, next: nextAfter(status, passed) };
    },
  });
}

/** A verdict by itself does not open the gate. */
function nextAfter(status: StepState['status'], passed: boolean): string {
  if (status === 'failed')
    return 'No attempts are left for this step. A person decides; finished_step says how.';
  return passed
    ? 'The verdict is recorded. The author of the work calls finished_step again; the ' +
        'gate opens if the outputs are unchanged.'
    : 'The verdict is recorded. The author of the work fixes the failed criteria and ' +
        'calls finished_step again, which writes new instructions.';
}

interface TypedTool<Input extends z.ZodObject> extends Omit<GateTool, 'call'> {
  readonly input: Input;
  readonly call: (input: z.infer<Input>, signal: AbortSignal) => Promise<object>;
}

function tool<Input extends z.ZodObject>({ call, ...about }: TypedTool<Input>): GateTool {
  return { ...about, call: (given, signal) => call(about.input.parse(given), signal) };
}

/** Only reviewers may know them, from their instructions. */
function withoutTokens(state: {
  readonly steps: Readonly<Record<string, { readonly token: string | null }>>;
}): object {
  return {
    ...state,
    steps: Object.fromEntries(
      Object.entries(state.steps).map(([id, { token: _, ...step }]) => [id, step]),
    ),
  };
}

function strictInput<Shape extends z.core.$ZodShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => unknownText(key, known)).join('; ')
        : undefined,
  });
}

function unknownText(key: string, known: readonly string[]): string {
  const near = likelyKey(key, known);
  const advice = near === undefined ? '' : `; the nearest is ${near}`;
  return `unknown argument \`${key}\`${advice}; the arguments are ${known.join(', ')}`;
}

export interface NamedStep {
  readonly session: string;
  readonly step: string;
}

/**
 * After `finished_step`, with the way out that only a person has; undefined once the gate is open.
 */
function nextForAgent(
  { status, error, instructions_path: path }: FinishedStep,
  named: NamedStep,
): string | undefined {
  if (status !== 'needs_work') return undefined;
  return `${wayOn(error, path)} ${wayOut(named)}`;
}

function withWayOut(error: unknown, named: NamedStep): unknown {
  if (!isReviewError(error) || !(error instanceof ReviewLoopError)) return error;
  if (error.code !== 'gate_attempts_used' && error.code !== 'gate_review_failed') return error;
  const { code, kind, value } = error;
  const first =
    code === 'gate_attempts_used'
      ? 'Stop here, and tell the person.'
      : 'Call finished_step again once the reviewer can answer.';
  const fix = `${first} ${wayOut(named)}`;
  return new ReviewLoopError({ code, kind, fix }, error.what, { cause: error, value });
}

/** Only a person may take the way out, so the agent hears who waits for whom, and no command. */
function wayOut({ session, step }: NamedStep): string {
  return (
    `A person can accept the step as it is: tell them that step ${step} of session ${session} ` +
    'waits for them.'
  );
}

function wayOn(error: FinishedStep['error'], path: string | null): string {
  switch (error) {
    case 'timed_out':
      return (
        'The reviewer did not answer in time. Call finished_step again, or ask for a server with ' +
        'a higher --review-timeout.'
      );
    case 'files_unseen':
      return (
        'The reviewer cannot read the files. Hand in fewer, or ask for a server with a higher ' +
        '--max-inline-files, or with --cli, which reads files itself.'
      );
    case 'reviewer_missing':
      return 'The reviewer is not installed. Tell the person: the feedback says what is missing.';
    case 'nothing_to_review':
      return 'The outputs have no content. Fill them, and call finished_step again.';
    case 'review_failed':
    case 'files_changed':
      return 'There is no verdict. Call finished_step again: each call asks the reviewer.';
    case null:
      return path === null
        ? 'Fix what the feedback names, and call finished_step again.'
        : 'Let a subagent review by the instructions, then call finished_step again.';
  }
}
