import { describe, expect, it } from 'vitest';
import { type Limiter, limiter } from '../../../src/index.js';
import { ReviewerStage } from '../../../src/reviewer-stage/reviewer-stage.js';
import { dimensions, good, keeping, needsWork, work } from './support.js';

describe('the work of a stage', () => {
  it('that goes back to the planner is in the log, with its cycle and its issues', async () => {
    const logger = keeping();
    let isPlanned = false;
    const reasons: string[] = [];
    const result = await new ReviewerStage({
      dimensions: dimensions({ code_quality: () => (isPlanned ? good : needsWork) }),
      logger,
      replan: async (feedback, { work: before }) => {
        isPlanned = true;
        reasons.push(feedback.reason);
        return { ...before, plan: ['again'] };
      },
    }).review(work);
    expect(result.decision).toBe('APPROVED');
    expect(reasons).toEqual([expect.stringContaining('2')]);
    expect(logger.fields).toContainEqual({
      event: 'replan',
      session_id: 'abc123',
      cycle: 1,
      issues: 2,
    });
  });

  it('is reviewed in the slots of the limiter that the stage was given', async () => {
    const names: string[] = [];
    const slots = limiter({ concurrency: 1 });
    const counting: Limiter = {
      ...slots,
      enter: (...call) => {
        names.push('slot');
        slots.enter(...call);
      },
    };
    await new ReviewerStage({ dimensions: dimensions(), limiter: counting }).review(work);
    expect(names.length).toBeGreaterThanOrEqual(5);
  });
});
