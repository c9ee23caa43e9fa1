import * as z from 'zod';
import { ArtifactSchema } from '../../core/artifact.js';
import { builtOnUse } from '../../core/built-on-use.js';
import { SelfReviewResultSchema } from './self-review-result.js';

/** The request of an agent: a task, and items of context such as `design_tokens`. */
export interface AgentRequest {
  readonly context: {
    readonly task: {
      readonly id: string;
      readonly description?: string | undefined;
      readonly prompt?: string | undefined;
      readonly acceptanceCriteria?: string[] | undefined;
    };
    readonly items: { type: string; content: Record<string, unknown> }[];
    readonly previousOutputs?: AgentOutput[] | undefined;
  };
}

/** The output of an agent: artifacts, a result, and optional hints for a router. */
export const AgentOutputSchema = builtOnUse(() =>
  z.object({
    result: z.unknown().optional(),
    artifacts: z.array(ArtifactSchema),
    routingHints: z
      .object({ needsApproval: z.boolean().optional(), notes: z.string().optional() })
      .optional(),
    selfReviewResult: SelfReviewResultSchema.optional(),
    qualityScore: z.number().nullable().optional(),
  }),
);
/** The output of an agent: artifacts, a result, and optional hints for a router. */
export interface AgentOutput extends z.infer<typeof AgentOutputSchema> {}

/**
 * Returns the request for a text, or for a description with acceptance criteria.
 *
 * @example
 * ```ts
 * agentRequest({
 *   description: 'Design the login page',
 *   acceptanceCriteria: ['has a forgot-password link'],
 * });
 * ```
 */
export function agentRequest(
  task: string | { id?: string; description: string; acceptanceCriteria?: string[] },
): AgentRequest {
  const { id, description, acceptanceCriteria } =
    typeof task === 'string' ? { description: task } : task;
  return {
    context: {
      task: { id: id ?? 'task', description, ...(acceptanceCriteria && { acceptanceCriteria }) },
      items: [],
    },
  };
}

/**
 * Returns an output with one artifact, a text.
 *
 * @param path - Path of the artifact. @default 'output.md'
 */
export function textOutput(text: string, path = 'output.md'): AgentOutput {
  return { artifacts: [{ type: 'text', path, content: text }] };
}
