import * as z from 'zod';
import { GateAnswerSchema } from '../gate-result.js';
import type { StepState } from '../gate-state.js';
import type { Workflows } from './workflows.js';

/** A tool as the protocol offers it: what it takes, and what it does. */
export interface GateTool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly call: (input: unknown, signal: AbortSignal) => Promise<object>;
}

/** A tool that is told what it takes by its schema. */
interface TypedTool<Input extends z.ZodObject> extends Omit<GateTool, 'call'> {
  readonly input: Input;
  readonly call: (input: z.infer<Input>, signal: AbortSignal) => Promise<object>;
}

const session_id = z.string().min(1).describe('from start_workflow');
const step_id = z.string().min(1);
const outputs = z
  .record(z.string(), z.union([z.string(), z.array(z.string())]))
  .describe('by name: a path, a list of paths, or a text, as the step declares');

/** The tools by which an agent is held to the gate. */
export function gateTools(workflows: Workflows): readonly GateTool[] {
  return [
    tool({
      name: 'start_workflow',
      description:
        'Starts a workflow from a job file (YAML or JSON, below the project root) and tells its first step.',
      input: z.object({ job_file: z.string().min(1) }),
      call: ({ job_file }) => workflows.start(job_file),
    }),
    tool({
      name: 'finished_step',
      description:
        'Says that a step is finished, with its outputs. The answer is the next step, or what has to be done before it goes through.',
      input: z.object({
        session_id,
        step_id,
        outputs,
        notes: z.string().optional(),
        quality_review_override_reason: z.string().optional(),
      }),
      call: (
        {
          session_id: id,
          step_id: stepId,
          outputs: made,
          notes,
          quality_review_override_reason: reason,
        },
        signal,
      ) =>
        workflows.use(id, (session) =>
          session.finishedStep({
            stepId,
            outputs: made,
            notes,
            qualityReviewOverrideReason: reason,
            signal,
          }),
        ),
    }),
    tool({
      name: 'review_status',
      description: 'Tells what is known of every step of a workflow.',
      input: z.object({ session_id }),
      call: async ({ session_id: id }) =>
        withoutTokens(await workflows.use(id, (session) => session.reviewStatus())),
    }),
    tool({
      name: 'get_instructions',
      description:
        'Tells where the instructions for the review of a step are; read them in a subagent.',
      input: z.object({ session_id, step_id }),
      call: ({ session_id: id, step_id: stepId }) =>
        workflows.use(id, (session) => session.getInstructions(stepId)),
    }),
    tool({
      name: 'submit_verdict',
      description:
        'For the reviewer of a step: hands in its verdict. Hash and token stand in the instructions; the verdict counts for exactly that content.',
      input: z.object({
        session_id,
        step_id,
        reviewer: z.string().min(1),
        hash: z.string(),
        token: z.string(),
        result: GateAnswerSchema,
      }),
      call: async ({ session_id: id, step_id: stepId, reviewer, hash, token, result }) => {
        const { status, attempts, feedback, verdicts } = await workflows.use(id, (session) =>
          session.submitVerdict({ stepId, reviewer, hash, token, result }),
        );
        const passed = verdicts.at(-1)?.passed === true;
        return { status, passed, attempts, feedback, next: nextAfter(status, passed) };
      },
    }),
  ];
}

/** What follows from a verdict, which by itself opens no gate. */
function nextAfter(status: StepState['status'], passed: boolean): string {
  if (status === 'failed') return 'The attempts at this step are used up.';
  return passed
    ? 'The verdict is kept. The author of the work calls finished_step again: the step goes through while its content is the one that was reviewed.'
    : 'The verdict is kept. The author of the work mends what failed and calls finished_step again, which writes new instructions.';
}

function tool<Input extends z.ZodObject>({ call, ...about }: TypedTool<Input>): GateTool {
  return { ...about, call: (given, signal) => call(about.input.parse(given), signal) };
}

/** The state as an agent may see it: a token is for reviewers, who read it in their instructions. */
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
