import { describe, expect, it } from 'vitest';
import {
  ChecklistGate,
  type ChecklistGateOptions,
  memoryChecklists,
  planCompleteness,
} from '../../../src/checklist-gate/index.js';
import type { AgentOutput } from '../../../src/index.js';
import { checklistJudge } from '../../support/checklist-judge.js';

/** Numbers that look random, and are the same in each run. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const kinds = ['no criteria', 'vague', 'placeholder'] as const;
type Fault = { readonly milestone: number; readonly kind: (typeof kinds)[number] };

const planOf = (faults: readonly Fault[]): AgentOutput => {
  const has = (milestone: number, kind: Fault['kind']): boolean =>
    faults.some((fault) => fault.milestone === milestone && fault.kind === kind);
  const milestones = [1, 2, 3, 4, 5].map((n) => {
    const criteria = has(n, 'no criteria')
      ? ''
      : `Acceptance criteria:\n- ${has(n, 'vague') ? 'works somehow' : 'all fixtures are read'}\n`;
    return `## M${n}: Part ${n}\n${criteria}\nCode intent:\n- add src/part${n}.ts${has(n, 'placeholder') ? ', TBD' : ''}\n`;
  });
  return {
    artifacts: [
      { type: 'document', path: 'plan.md', content: `# Plan\n\n${milestones.join('\n')}` },
    ],
  };
};

const judge = () =>
  checklistJudge([
    {
      question: /Can somebody else tell/,
      found: /works somehow/,
      reason: 'nobody can tell',
      suggestedFix: 'say how',
    },
  ]);

function gateOf(
  faults: Fault[],
  mend: (items: readonly string[]) => void,
  options: Partial<ChecklistGateOptions> = {},
) {
  const provider = judge();
  const rounds: { iteration: number; failed: readonly string[] }[] = [];
  const store = memoryChecklists();
  const gate = new ChecklistGate({
    phase: 'plan-structure',
    decompose: planCompleteness(),
    store,
    provider,
    fix: async (_plan, { items }, { iteration }) => {
      rounds.push({ iteration, failed: items.map(({ id }) => id) });
      mend(items.map(({ scope, finding }) => `${scope} ${finding}`));
      return planOf(faults);
    },
    ...options,
  });
  return { gate, provider, rounds, store };
}

describe('a plan with planted faults', () => {
  it('comes to PASS through fixes of what failed, and only of that [QR-43, QR-58, QR-59, QR-60, D001-07]', async () => {
    for (let seed = 1; seed <= 12; seed += 1) {
      const roll = dice(seed);
      const faults: Fault[] = Array.from({ length: 1 + roll(5) }, () => ({
        milestone: 1 + roll(5),
        kind: kinds[roll(3)]!,
      }));
      const { gate, rounds, provider } = gateOf(faults, (items) => {
        // a fixer that mends the milestones it is told of
        for (const item of items)
          faults.splice(
            0,
            faults.length,
            ...faults.filter(({ milestone }) => !item.startsWith(`milestone:M${milestone} `)),
          );
      });
      const run = await gate.run(planOf([...faults]));
      expect({
        seed,
        status: run.status,
        loop: run.loop,
        outcome: run.outcome.status,
        left: faults,
      }).toEqual({ seed, status: 'PASS', loop: 'COMPLETE', outcome: 'approved', left: [] });
      expect(run.iteration).toBe(rounds.length + 1);
      expect((await gate.verify(run.work!)).status).toBe('PASS');
      // five milestones and the whole at first; later only what has changed
      expect(provider.requests.length).toBeLessThanOrEqual(6 + rounds.length * 6);
    }
  });

  it('what is left unfixed stops blocking at iterations 3 and 5 [QR-46, QR-50, D001-04]', async () => {
    const left = async (severity: 'MUST' | 'SHOULD' | 'MAY') => {
      const { gate, rounds } = gateOf([], () => {}, {
        decompose: () => [{ scope: '*', check: 'Can somebody else tell?', severity }],
        fix: async (plan) => plan,
        verify: () => 'never',
      });
      const counted: number[] = [];
      const run = await new ChecklistGate({
        phase: 'plan-structure',
        store: memoryChecklists(),
        decompose: () => [{ scope: '*', check: 'x', severity }],
        verify: () => 'never',
        fix: async (plan: AgentOutput, _guidance, { iteration }) => {
          counted.push(iteration);
          return plan;
        },
      }).run(planOf([]));
      expect(rounds).toEqual([]);
      expect(gate).toBeDefined();
      return [run.outcome.status, run.loop, run.iteration, counted.length];
    };
    expect(await left('MAY')).toEqual(['approved', 'COMPLETE', 3, 2]);
    expect(await left('SHOULD')).toEqual(['approved', 'COMPLETE', 5, 4]);
    expect(await left('MUST')).toEqual(['suspended', 'ESCALATED', 5, 4]);
  });

  it('a MUST that stays ends in one question to a person, whose reason lets it through, item by item [QR-55, D001-07]', async () => {
    const faults: Fault[] = [{ milestone: 2, kind: 'no criteria' }];
    const { gate, rounds } = gateOf(faults, () => {});
    const run = await gate.run(planOf(faults), { runId: 'one' });
    expect({ status: run.status, loop: run.loop, fixes: rounds.length }).toEqual({
      status: 'FAIL',
      loop: 'ESCALATED',
      fixes: 4,
    });
    if (run.outcome.status !== 'suspended') throw new Error('no question');
    expect(run.outcome.requests.length).toBe(1);
    expect(run.text).not.toMatch(/iteration|\b5\b/);
    const [request] = run.outcome.requests;
    await expect(gate.answer(request, { kind: 'approve', by: 'Ada' })).rejects.toMatchObject({
      code: 'answer_not_allowed',
    });
    const ended = await gate.answer(request, {
      kind: 'override',
      by: 'Ada',
      reason: 'M2 is a spike',
    });
    expect({ status: ended.status, outcome: ended.outcome.status }).toEqual({
      status: 'PASS',
      outcome: 'accepted',
    });
    expect(ended.accepted.map(({ accepted }) => accepted)).toEqual([
      { by: 'Ada', reason: 'M2 is a spike' },
    ]);
    expect(rounds.length).toBe(4);
  });

  it('a person who asks for one more fix gets one, and the question again', async () => {
    const faults: Fault[] = [{ milestone: 2, kind: 'no criteria' }];
    const { gate, rounds } = gateOf(faults, () => {}, { maxIterations: 1 });
    const run = await gate.run(planOf(faults));
    if (run.outcome.status !== 'suspended') throw new Error('no question');
    const again = await gate.answer(run.outcome.requests[0], {
      kind: 'revise',
      by: 'Ada',
      note: 'once more',
    });
    expect({ status: again.outcome.status, fixes: rounds.length, loop: again.loop }).toEqual({
      status: 'suspended',
      fixes: 1,
      loop: 'ESCALATED',
    });
  });

  it('a run without a fixer ends with what failed', async () => {
    const faults: Fault[] = [{ milestone: 1, kind: 'vague' }];
    const gate = new ChecklistGate({
      phase: 'plan-structure',
      decompose: planCompleteness(),
      store: memoryChecklists(),
      provider: judge(),
    });
    const run = await gate.run(planOf(faults));
    expect(run).toMatchObject({
      status: 'FAIL',
      outcome: { status: 'exhausted' },
      failed: [
        {
          scope: 'milestone:M1',
          finding: 'nobody can tell',
          gaps: [
            { suggestedFix: 'say how', evidence: 'works somehow', location: { file: 'plan.md' } },
          ],
        },
      ],
    });
  });
});
