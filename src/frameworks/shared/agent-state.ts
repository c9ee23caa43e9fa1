import type * as z from 'zod';
import { ReviewLoopError } from '../../core/errors.js';
import { frameworkErrors } from '../errors.js';

/** Returns the error of an agent whose state cannot be found again after a wait. */
export function stateLost(what: string, cause?: unknown): ReviewLoopError {
  return new ReviewLoopError(frameworkErrors.agent_state_lost, what, { cause });
}

/** Returns recorded state of an agent. @throws ReviewLoopError `agent_state_lost` */
export function readState<State>(schema: z.ZodType<State>, state: unknown): State {
  const { data, error } = schema.safeParse(state);
  if (data === undefined) throw stateLost('the recorded state of the agent cannot be read', error);
  return data;
}
