import * as z from 'zod';
import { builtOnUse } from '../../../core/built-on-use.js';
import { type AskRequest, type HumanAnswer, HumanAnswerSchema } from '../../../core/human.js';
import type { StepContext } from '../../../core/step.js';

export interface ToolCall {
  readonly tool: string;
  /** The arguments of the call, as JSON data. */
  readonly input: unknown;
}

/** Decides about a tool call: a rule, or `ask` for a person. */
export type ApproveTool = (call: ToolCall) => 'ask' | 'approve' | 'deny';

/** What an agent waits for: the approval of a tool call, or an answer to a question of its own. */
export type Waiting = { readonly id: string } & (
  | { readonly kind: 'tool'; readonly tool: string; readonly input?: unknown }
  | { readonly kind: 'question'; readonly value?: unknown }
);

export const AnsweredSchema = builtOnUse(() =>
  z.array(z.object({ id: z.string(), answer: HumanAnswerSchema })).readonly(),
);

export type Answered = z.infer<typeof AnsweredSchema>[number];

export interface DecideOptions {
  readonly name: string;
  readonly context: Pick<StepContext, 'ask'>;
  readonly approve: ApproveTool;
}

/** An answer holds for this tool with these arguments only. */
export async function decideWaiting(
  waiting: Waiting,
  { name, context, approve }: DecideOptions,
): Promise<Answered> {
  const { id } = waiting;
  if (waiting.kind === 'question')
    return { id, answer: await context.ask(name, questionOf(waiting.value)) };
  const { tool, input } = waiting;
  const rule = approve({ tool, input });
  if (rule === 'ask') return { id, answer: await context.ask(name, toolQuestion({ tool, input })) };
  return { id, answer: { kind: rule === 'approve' ? 'approve' : 'reject', by: 'approve' } };
}

function toolQuestion(call: ToolCall): AskRequest {
  return {
    question: `May the agent call the tool ${JSON.stringify(call.tool)}?`,
    allowed: ['approve', 'reject', 'revise'],
    subject: call,
  };
}

function questionOf(value: unknown): AskRequest {
  return {
    question: typeof value === 'string' && value !== '' ? value : 'The agent asks how to go on.',
    allowed: ['approve', 'reject', 'revise', 'reply'],
    subject: value ?? null,
  };
}

export function approvalOf(answer: HumanAnswer): {
  readonly approved: boolean;
  readonly reason?: string;
} {
  const reason = answer.kind === 'revise' ? answer.note : answer.reason;
  return { approved: answer.kind === 'approve', ...(reason !== undefined && { reason }) };
}
