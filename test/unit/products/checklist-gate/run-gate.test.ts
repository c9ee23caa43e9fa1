import { describe, expect, it } from 'vitest';
import { type AgentOutput, memoryStore, ReviewLoopError } from '@/index.js';
import { storedChecklistErrors } from '@/ports/checklist/errors.js';
import { portErrors } from '@/ports/errors.js';
import {
  ChecklistGate,
  type ChecklistGateOptions,
  type ChecklistItem,
  memoryChecklists,
  planCompleteness,
} from '@/products/checklist-gate/index.js';
import { scriptedProvider } from '@/testing/index.js';
import { checklistJudge } from '../../../support/checklist-judge.js';
import { errorWith, expectCode } from '../../../support/matchers.js';
import { decomposed, drafts, gateOf, noted, work } from './support.js';

describe('a run of a gate', () => {
  it('is not resumed after another run took over the checklist', async () => {
    const [store, runs] = [memoryChecklists(), memoryStore()];
    const gate = () =>
      gateOf({ store, runs, maxIterations: 1, verify: () => 'bad', fix: async (given) => given });
    const first = await gate().run(work(), { runId: 'first' });
    if (first.outcome.status !== 'suspended') throw new Error('no question');
    expect((await gate().run(work(), { runId: 'second' })).outcome.status).toBe('suspended');
    await expectCode(gate().run(work(), { runId: 'first' }), 'run_conflict');
    await expectCode(
      gate().answer(first.outcome.requests[0], { kind: 'override', by: 'Ada', reason: 'x' }),
      'request_stale',
    );
  });

  it('reports a state that was deleted meanwhile', async () => {
    const runs = memoryStore();
    await gateOf({ runs }).run(work(), { runId: 'one' });
    await expectCode(gateOf({ runs }).run(work(), { runId: 'one' }), 'checklist_missing');
  });

  it('is not a PASS after a cancellation, although every item has passed', async () => {
    const stop = new AbortController();
    const gate = gateOf({
      verify: ({ id }) => {
        if (id === 'plan-structure-003') stop.abort();
        return true;
      },
    });
    const run = await gate.run(work(), { signal: stop.signal });
    expect({ status: run.status, outcome: run.outcome.status }).toEqual({
      status: 'FAIL',
      outcome: 'cancelled',
    });
  });

  it('resumes after its question in another gate with the same stores', async () => {
    const [store, runs] = [memoryChecklists(), memoryStore()];
    const gate = () =>
      gateOf({ store, runs, maxIterations: 1, verify: () => 'bad', fix: async (given) => given });
    const { outcome } = await gate().run(work());
    if (outcome.status !== 'suspended') throw new Error('no question');
    const rejected = await gate().answer(outcome.requests[0], { kind: 'reject', by: 'Ada' });
    expect({
      status: rejected.status,
      outcome: rejected.outcome.status,
      failed: rejected.failed.length,
    }).toEqual({ status: 'FAIL', outcome: 'rejected', failed: 3 });
  });

  it('ends with the error of a store that fails, and never with a PASS', async () => {
    const inner = memoryChecklists();
    let broken = false;
    const fails = (): never => {
      throw new ReviewLoopError(storedChecklistErrors.checklist_unavailable, 'the disk is full');
    };
    const gate = await decomposed({
      store: {
        read: (phase) => inner.read(phase),
        update: (phase, change) => (broken ? fails() : inner.update(phase, change)),
      },
      verify: () => {
        broken = true;
        return true;
      },
    });
    await expect(gate.verify(work())).rejects.toMatchObject({ code: 'checklist_unavailable' });
    expect((await gate.status()).counts).toEqual({ total: 3, pass: 0, fail: 0, todo: 3 });
  });
});

describe('an item', () => {
  const oneItem = async (
    item: Partial<ChecklistItem>,
    options: Parameters<typeof gateOf>[0] = {},
  ) => {
    const store = memoryChecklists();
    const gate = await decomposed({ store, ...options });
    await store.update('plan-structure', (state) => ({
      ...state!,
      items: state!.items.slice(0, 1).map((made): ChecklistItem => ({ ...made, ...item })),
    }));
    return gate;
  };

  it('with an unknown rule stays TODO with a reason', async () => {
    const gate = await oneItem({ rule: 'of-another-version' });
    expect((await gate.verify(work())).text).toContain(
      '- plan-structure-001: not verified: this gate has no rule of-another-version; add its module to `decompose`',
    );
  });

  it('about a missing file fails without a call of the model', async () => {
    const provider = scriptedProvider([]);
    const gate = await oneItem({ scope: 'file:gone.ts' }, { verify: undefined, provider });
    expect((await gate.verify(work())).failed[0]?.finding).toBe('file gone.ts is missing');
    expect(provider.requests).toEqual([]);
  });

  it('without a finding is reported as such', async () => {
    const gate = await oneItem({ status: 'FAIL', iteration: 1 });
    expect((await gate.fixGuidance()).prompt).toContain('    Finding: no finding');
    const lenient = await oneItem(
      { status: 'FAIL', severity: 'MAY' },
      { blocking: [{ from: 1, blocks: 'MUST' }] },
    );
    expect((await lenient.verify(work())).text).toContain(
      'Findings that do not block:\n- plan-structure-001: no finding',
    );
  });

  it('whose scope cannot be read is unverified, and its PASS no longer counts', async () => {
    const select = (given: unknown): unknown => {
      if (JSON.stringify(given).includes('unreadable')) throw new Error('cannot be read');
      return given;
    };
    const gate = await oneItem({}, { select, retries: 0 });
    expect((await gate.verify(work())).status).toBe('PASS');
    expect(await gate.verify(work('unreadable'))).toMatchObject({
      status: 'FAIL',
      unverified: [{ id: 'plan-structure-001' }],
      text: expect.stringContaining('cannot be read'),
    });
    expect((await gate.status(work('unreadable'))).status).toBe('FAIL');
  });
});

describe('update', () => {
  it('replaces a PASS for changed content, and refuses one for unchanged content', async () => {
    const gate = await decomposed();
    await gate.verify(work());
    await expectCode(
      gate.update('plan-structure-002', { status: 'FAIL', finding: 'no' }, work()),
      'checklist_transition',
    );
    expect(
      await gate.update(
        'plan-structure-002',
        { status: 'FAIL', finding: 'no', fix: 'so' },
        work('changed'),
      ),
    ).toMatchObject({ status: 'FAIL', finding: 'no', gaps: [{ suggestedFix: 'so' }] });
  });

  it('a typed error of the audit log is passed on unchanged', async () => {
    const audit = {
      record: () => Promise.reject(new ReviewLoopError(portErrors.audit_unwritable, 'read-only')),
    };
    const gate = await decomposed({ maxIterations: 1, verify: () => 'bad', audit });
    await gate.verify(work());
    await expect(
      gate.accept('plan-structure-001', { by: 'Ada', reason: 'x' }),
    ).rejects.toMatchObject(errorWith('audit_unwritable', 'read-only'));
    await expect(gate.accept('plan-structure-001', { by: ' ', reason: 'x' })).rejects.toMatchObject(
      errorWith('reason_required', 'a name'),
    );
  });

  it('a gate without decompose verifies existing items', async () => {
    const store = memoryChecklists();
    const seen: string[] = [];
    await gateOf({ store }).decompose(work());
    const verifier = new ChecklistGate({
      phase: 'plan-structure',
      store,
      verify: ({ id }) => noted(seen, id, true),
    });
    expect((await verifier.decompose(work())).created).toBe(false);
    expect((await verifier.verify(work())).status).toBe('PASS');
    expect(seen.length).toBe(drafts.length);
  });
});

it('the fixer of a gate asks a person, and goes on with the answer', async () => {
  let isFixed = false;
  const gate = gateOf({
    store: memoryChecklists(),
    runs: memoryStore(),
    verify: () => isFixed || 'bad',
    fix: async (given, _, { ask }) => {
      const { kind } = await ask('tool', { question: 'Change the file?', allowed: ['approve'] });
      isFixed = kind === 'approve';
      const artifacts = given.artifacts.map((each) => ({ ...each, content: 'fixed' }));
      return { ...given, artifacts };
    },
  });
  const asked = await gate.run(work());
  if (asked.outcome.status !== 'suspended') throw new Error(asked.outcome.reason);
  expect(asked.status).toBe('FAIL');
  expect(asked.outcome.requests[0]).toMatchObject({ from: 'address' });
  const ended = await gate.answer(asked.outcome.requests[0], { kind: 'approve', by: 'Ada' });
  expect(ended.status).toBe('PASS');
});

describe('a plan with planted faults', () => {
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
        question: /Can another person decide/,
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

  it('passes after fixes of the failed items only [QR-43, QR-58, QR-59, QR-60, D001-07]', async () => {
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

  it('stops blocking on unfixed items at iterations 3 and 5 [QR-46, QR-50, D001-04]', async () => {
    const left = async (severity: 'MUST' | 'SHOULD' | 'MAY') => {
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
      return [run.outcome.status, run.loop, run.iteration, counted.length];
    };
    expect(await left('MAY')).toEqual(['approved', 'COMPLETE', 3, 2]);
    expect(await left('SHOULD')).toEqual(['approved', 'COMPLETE', 5, 4]);
    expect(await left('MUST')).toEqual(['suspended', 'ESCALATED', 5, 4]);
  });

  it('asks a person once about a failing MUST, and records the acceptance for each item [QR-55, D001-07]', async () => {
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
    expect(run.text).toContain('NEXT: Ask the person in charge to decide on the failed items.');
    expect(run.text).not.toMatch(/iteration|maximum|ceiling|\b5\b/i);
    const [request] = run.outcome.requests;
    await expectCode(gate.answer(request, { kind: 'approve', by: 'Ada' }), 'answer_not_allowed');
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

  it('runs one more fix on request of a person, and asks again', async () => {
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

  it('ends with the failed items without a fixer', async () => {
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
