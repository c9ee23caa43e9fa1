import { describe, expect, it } from 'vitest';
import { cyclesIn, cycleText } from '@/blocks/criteria/plan/cycles.js';
import { planCriteria } from '@/blocks/criteria/plan/plan-criteria.js';
import { context, judgedBy } from '../support.js';

const judge = (id: string, tasks: unknown, options?: Parameters<typeof planCriteria>[0]) => {
  const result = { epics: [{ features: [{ tasks }] }] };
  return judgedBy(planCriteria(options), id, [{ artifacts: [], result }]);
};

describe('planCriteria', () => {
  it('a plan without tasks fails every criterion [D004-18]', async () => {
    const judging = planCriteria().filter(({ id }) => id !== 'plan-empty-content');
    for (const criterion of judging) {
      const empty = { epics: [{ features: [{ tasks: [] }] }] };
      for (const result of [undefined, null, 'text', {}, { epics: [] }, empty])
        expect(
          await criterion.validate({ artifacts: [], result }, undefined, context),
        ).toMatchObject({ passed: false, score: 0, details: 'The plan has no tasks' });
    }
  });

  it('missing arrays, titles and odd values are no errors [D004-29]', async () => {
    const odd = { title: 5, dependencies: 'x', acceptanceCriteria: [null] };
    const features = [{}, null, { tasks: [{}, null, odd] }];
    for (const criterion of planCriteria())
      for (const epics of [[{}], [null, 3], [{ features }]])
        await expect(
          criterion.validate({ artifacts: [], result: { epics } }, undefined, context),
        ).resolves.toHaveProperty('score');
  });

  it('the share is an option, and the message counts [D004-30]', async () => {
    const tasks = Array.from({ length: 10 }, (_, index) => ({
      id: index,
      title: `T${index}`,
      acceptanceCriteria: index < 9 ? ['works'] : [' '],
    }));
    expect(await judge('plan-acceptance-criteria', tasks)).toMatchObject({
      passed: true,
      score: 0.9,
      details: '9 of 10 tasks have acceptance criteria (90% needed)',
      findings: [{ evidence: 'T9' }],
    });
    expect(await judge('plan-acceptance-criteria', tasks, { acceptanceShare: 1 })).toMatchObject({
      passed: false,
      suggestedFix: expect.stringContaining('9 T9'),
    });
    expect(() => planCriteria({ acceptanceShare: 90 })).toThrow(/acceptanceShare/);
  });

  it('compares ids as texts', async () => {
    expect(
      await judge('plan-dependencies', [{ id: 1 }, { id: '2', dependencies: ['1', 1] }]),
    ).toMatchObject({ passed: true, score: 1 });
  });

  it('names unknown dependencies and the path of each cycle', async () => {
    const result = await judge('plan-dependencies', [
      { id: 'a', dependencies: ['b'] },
      { id: 'b', dependencies: ['c'] },
      { id: 'c', dependencies: ['a', 'x'] },
      { id: 'd', dependencies: ['d'] },
    ]);
    expect(result).toMatchObject({
      passed: false,
      score: 0,
      details: 'Invalid dependencies: c -> x. Circular dependencies: a -> b -> c -> a; d -> d',
    });
    expect(result.findings).toHaveLength(3);
  });

  it('judges complexity and assignment', async () => {
    const tasks = [
      { id: 'a', complexity: 'Epic', assignedAgents: [] },
      { id: 'b', complexity: 'small', assignedAgents: ['dev'] },
    ];
    expect(await judge('plan-complexity', tasks)).toMatchObject({
      passed: false,
      score: 0.5,
      estimatedEffort: 'large',
    });
    expect(await judge('plan-complexity', tasks, { tooComplex: ['huge'] })).toMatchObject({
      passed: true,
    });
    expect(await judge('plan-assignment', tasks)).toMatchObject({
      passed: false,
      score: 0.5,
      details: '1 of 2 tasks have an agent (95% needed)',
    });
  });
});

describe('cyclesIn', () => {
  it('walks a chain and a ring of 20,000 without recursion', () => {
    const chain = new Map(
      Array.from({ length: 20_000 }, (_, index) => [
        `t${index}`,
        index < 19_999 ? [`t${index + 1}`] : [],
      ]),
    );
    expect(cyclesIn(chain)).toEqual([]);
    chain.set('t19999', ['t0']);
    const [cycle = []] = cyclesIn(chain);
    expect(cycle).toHaveLength(20_001);
    expect(cycleText(cycle)).toMatch(/^t0 -> t1 -> .* more \.\.\. -> t19998 -> t19999 -> t0$/);
  });

  it('ends on a dense graph', () => {
    const ids = Array.from({ length: 400 }, (_, index) => `t${index}`);
    expect(cyclesIn(new Map(ids.map((id) => [id, ids])))).toHaveLength(20);
  });
});
