import { describe, expectTypeOf, it } from 'vitest';
import type { AgentOutput, VerdictStore } from '@/index.js';
import {
  ChecklistGate,
  type ChecklistItem,
  type ChecklistLoopState,
  type ChecklistModule,
  type ChecklistPhase,
  type ChecklistState,
  type ChecklistStore,
  checklistModules,
  checklistVerdicts,
  type Decomposition,
  type FixGuidance,
  type GateRun,
  type GateStatus,
  type GateVerification,
  memoryChecklists,
  modelChecklist,
  type PlanDocument,
  planCode,
  planCompleteness,
  readPlan,
} from '@/products/checklist-gate/index.js';

interface Page {
  readonly body: string;
}
const store: ChecklistStore = memoryChecklists();
declare const work: AgentOutput;

describe('the checklist gate', () => {
  it('decomposes, verifies and guides fixes [QR-08, QR-20, QR-24]', () => {
    const gate = new ChecklistGate({
      phase: 'plan-structure',
      decompose: [planCompleteness(), modelChecklist({ phase: 'plan-structure' })],
      store,
    });
    expectTypeOf(gate).toEqualTypeOf<ChecklistGate<AgentOutput>>();
    expectTypeOf(gate.decompose(work)).resolves.toEqualTypeOf<Decomposition>();
    expectTypeOf(gate.verify(work)).resolves.toEqualTypeOf<GateVerification>();
    expectTypeOf(gate.fixGuidance()).resolves.toEqualTypeOf<FixGuidance>();
    expectTypeOf(gate.fixesApplied()).resolves.toBeString();
    expectTypeOf(gate.status()).resolves.toExtend<GateStatus>();
    expectTypeOf(gate.state()).resolves.toEqualTypeOf<ChecklistState>();
    expectTypeOf(gate.run(work)).resolves.toEqualTypeOf<GateRun<AgentOutput>>();
    expectTypeOf(
      gate.accept('x', { by: 'Ada', reason: 'known' }),
    ).resolves.toEqualTypeOf<ChecklistItem>();
    // @ts-expect-error an acceptance has a reason
    void gate.accept('x', { by: 'Ada' });
    // @ts-expect-error a gate keeps its state somewhere
    new ChecklistGate({ phase: 'plan-structure', decompose: planCompleteness() });
    // @ts-expect-error not a phase of the QR checklist format
    new ChecklistGate({ phase: 'plan', store });
    // @ts-expect-error not a severity
    new ChecklistGate({ phase: 'plan-code', store, blocking: [{ from: 1, blocks: 'COULD' }] });
    // @ts-expect-error unknown option
    planCode({ apply: true });
  });

  it('a router has one bit, and a state that ends [QR-11, QR-53, QR-55]', () => {
    expectTypeOf<GateStatus['status']>().toEqualTypeOf<'PASS' | 'FAIL'>();
    expectTypeOf<ChecklistLoopState>().toEqualTypeOf<
      'INITIAL' | 'RETRY' | 'COMPLETE' | 'ESCALATED'
    >();
  });

  it('an item, and what a verifier may say of it [QR-28, QR-32, QR-33]', () => {
    expectTypeOf<Pick<ChecklistItem, 'status' | 'finding' | 'severity'>>().toEqualTypeOf<{
      status: 'TODO' | 'PASS' | 'FAIL';
      finding: string | null;
      severity: 'MUST' | 'SHOULD' | 'MAY';
    }>();
    const common = {
      phase: 'impl-code',
      store,
      decompose: () => [{ scope: '*', check: 'x' }],
    } as const;
    new ChecklistGate({ ...common, verify: () => true });
    new ChecklistGate({
      ...common,
      verify: async ({ id }) => ({
        finding: id,
        fix: 'so',
        evidence: 'x',
        location: { file: 'a', line: 1 },
      }),
    });
    new ChecklistGate({ ...common, verify: () => ({ skipped: 'no browser' }) });
    // @ts-expect-error false says not what is wrong
    new ChecklistGate({ ...common, verify: () => false });
    new ChecklistGate({
      ...common,
      // @ts-expect-error severities are those of the schema
      decompose: () => [{ scope: '*', check: 'x', severity: 'HIGH' }],
    });
  });

  it('works on any work, where it is told what a scope selects', () => {
    const gate = new ChecklistGate<Page>({
      phase: 'impl-docs',
      store,
      decompose: (page) => [{ scope: '*', check: page.body }],
      select: ({ body }) => body,
      fix: async (page) => page,
    });
    expectTypeOf(gate.run({ body: '' })).resolves.toEqualTypeOf<GateRun<Page>>();
    // @ts-expect-error a fixer returns the whole work
    new ChecklistGate<Page>({ phase: 'impl-docs', store, fix: async () => 'text' });
  });

  it('modules by phase, plans as data, and the state as a verdict store [QR-01, QR-57]', () => {
    expectTypeOf(checklistModules).parameter(0).toEqualTypeOf<ChecklistPhase>();
    expectTypeOf(checklistModules('impl-code')).toEqualTypeOf<ChecklistModule<AgentOutput>[]>();
    expectTypeOf(readPlan('')).toEqualTypeOf<PlanDocument>();
    expectTypeOf(checklistVerdicts(store, 'plan-code')).toEqualTypeOf<VerdictStore>();
  });
});
