import { describe, expect, it } from 'vitest';
import { definePipeline } from '../../../src/index.js';
import type { Around } from '../../../src/ports/index.js';

const silent = (): void => {};

/** Runs with a hook; returns the run, and what is logged meanwhile. */
function hooked(around: Around, produce = async () => 'x') {
  const errors: unknown[] = [];
  const warnings: unknown[] = [];
  const outcome = definePipeline<string, string>({
    produce,
    criteria: { a: () => true },
    around,
    logger: {
      debug: silent,
      info: silent,
      warn: (data) => void warnings.push(data),
      error: (data) => void errors.push(data),
    },
  }).run('task', { runId: 'r' });
  return { errors, outcome, warnings };
}

const isJudge = ({ kind }: { readonly kind: string }): boolean => kind === 'reviewer';
const place = { run: 'r', span: 'reviewer', name: 'a' };

describe('a hook around the work', () => {
  it('that throws changes nothing, and the log tells where', async () => {
    const { errors, outcome } = hooked(async (span, next) => {
      await next();
      if (isJudge(span)) throw new Error('no collector');
    });
    expect(await outcome).toMatchObject({ status: 'approved', output: 'x' });
    expect(errors).toEqual([{ ...place, error: 'no collector' }]);
  });

  it('that throws before the work begins is told, and the work is done', async () => {
    const { errors, outcome } = hooked(async (span, next) => {
      if (isJudge(span)) throw new Error('no collector');
      await next();
    });
    expect((await outcome).status).toBe('approved');
    expect(errors).toEqual([{ ...place, error: 'no collector' }]);
  });

  it('that passes on the error of the work has done nothing wrong', async () => {
    const pause = Object.assign(new Error('paused'), { is_bubble_up: true });
    const { errors, outcome } = hooked(
      async (_, next) => void (await next()),
      () => Promise.reject(pause),
    );
    await expect(outcome).rejects.toBe(pause);
    expect(errors).toEqual([]);
  });

  it('that does not call the work is told so, and the work is done', async () => {
    const { outcome, warnings } = hooked(async (span, next) => {
      if (!isJudge(span)) await next();
    });
    expect((await outcome).status).toBe('approved');
    expect(warnings).toEqual([place]);
  });
});
