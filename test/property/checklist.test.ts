import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChecklistGate, type ChecklistItem, ChecklistStateSchema, checklistMemory, decodeChecklist, encodeChecklist } from '../../src/index.js';

interface Model {
  iteration: number;
  readonly items: Map<string, { status: string; severity: number }>;
}
type Real = ChecklistGate;

const ids = Array.from({ length: 6 }, (_, index) => `plan-code-00${index + 1}`);
const severities = ['MUST', 'SHOULD', 'MAY'] as const;
const floor = (iteration: number): number => (iteration >= 5 ? 0 : iteration >= 3 ? 1 : 2);
const failing = (model: Model): string[] => [...model.items].filter(([, { status, severity }]) => status === 'FAIL' && severity <= floor(model.iteration)).map(([id]) => id);

class Update implements fc.AsyncCommand<Model, Real> {
  readonly id: string;
  readonly status: string;
  readonly finding: string | undefined;
  constructor(id: string, status: string, finding: string | undefined) {
    this.id = id;
    this.status = status;
    this.finding = finding;
  }
  check = (): boolean => true;
  async run(model: Model, gate: Real): Promise<void> {
    const item = model.items.get(this.id);
    const status = this.status.toUpperCase();
    const isRight = item !== undefined && item.status !== 'PASS' && (status === 'PASS' ? this.finding === undefined : status === 'FAIL' && (this.finding ?? '').trim() !== '');
    const result = await gate.update(this.id, { status: this.status, finding: this.finding }, { artifacts: [] }).then(
      () => true,
      () => false,
    );
    expect(result).toBe(isRight);
    if (isRight) item.status = status;
  }
  toString = (): string => `update(${this.id}, ${this.status}, ${this.finding})`;
}

class Fix implements fc.AsyncCommand<Model, Real> {
  check = (): boolean => true;
  async run(model: Model, gate: Real): Promise<void> {
    const failed = failing(model);
    expect((await gate.fixGuidance()).items.map(({ id }) => id)).toEqual(failed);
    await gate.fixesApplied();
    for (const id of failed) model.items.set(id, { status: 'TODO', severity: model.items.get(id)?.severity ?? 0 });
    if (failed.length > 0) model.iteration += 1;
  }
  toString = (): string => 'fix()';
}

class Look implements fc.AsyncCommand<Model, Real> {
  check = (): boolean => true;
  async run(model: Model, gate: Real): Promise<void> {
    const state = await gate.state();
    expect(state.iteration).toBe(model.iteration);
    expect(state.items.map(({ id, status }) => [id, status])).toEqual([...model.items].map(([id, { status }]) => [id, status]));
    expect(state.items.every(({ status, finding }) => (status === 'FAIL') === (finding !== null))).toBe(true);
    const open = [...model.items.values()].some(({ status, severity }) => status === 'TODO' && severity <= floor(model.iteration));
    const { status, loop } = await gate.status();
    expect(status).toBe(open || failing(model).length > 0 ? 'FAIL' : 'PASS');
    expect(loop === 'COMPLETE').toBe(status === 'PASS');
    expect(loop === 'ESCALATED').toBe(failing(model).length > 0 && model.iteration >= 5);
    expect(decodeChecklist(encodeChecklist(state), { phase: 'plan-code', where: 'x' })).toEqual(state);
  }
  toString = (): string => 'look()';
}

describe('the state machine of a checklist', () => {
  it('QR-32/QR-33/QR-47/QR-48/QR-49: keeps to its transitions whatever verifiers and fixers do', async () => {
    const update = fc.tuple(fc.constantFrom(...ids, 'nope'), fc.constantFrom('PASS', 'FAIL', 'fail', 'Pass', 'TODO', 'x'), fc.option(fc.constantFrom('bad', ' ', 'worse'), { nil: undefined }));
    const commands = fc.commands([update.map((given) => new Update(...given)), fc.constant(new Fix()), fc.constant(new Look())], { maxCommands: 60 });
    await fc.assert(
      fc.asyncProperty(commands, async (given) => {
        const gate = new ChecklistGate({ phase: 'plan-code', store: checklistMemory(), decompose: () => ids.map((_, index) => ({ scope: '*', check: 'x', severity: severities[index % 3]! })) });
        await gate.decompose({ artifacts: [] });
        await fc.asyncModelRun(() => ({ model: { iteration: 1, items: new Map(ids.map((id, index) => [id, { status: 'TODO', severity: index % 3 }])) }, real: gate }), given);
      }),
      { numRuns: 150 },
    );
  });

  it('a file of any JSON is read as a state, or refused with a typed error', () => {
    const item = fc.record({ id: fc.string(), scope: fc.string(), check: fc.string(), status: fc.anything(), finding: fc.anything(), severity: fc.anything() }, { requiredKeys: [] });
    const file = fc.oneof(fc.anything(), fc.record({ schema_version: fc.constantFrom('1.0', '1.1', '2.0', 1), phase: fc.constantFrom('plan-code', 'x'), items: fc.array(item, { maxLength: 3 }) }));
    fc.assert(
      fc.property(file, (value) => {
        try {
          const state = decodeChecklist(JSON.stringify(value) ?? '', { phase: 'plan-code', where: 'x' });
          expect(ChecklistStateSchema.safeParse(state).success).toBe(true);
          expect(state.items.every(({ id }: ChecklistItem) => !/[\p{Cc}\u2028\u2029]/u.test(id))).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ code: expect.stringMatching(/^checklist_(corrupt|newer)$/) });
        }
      }),
    );
  });
});
