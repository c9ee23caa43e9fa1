import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ChecklistGate,
  type ChecklistGateOptions,
  type ChecklistItem,
  ChecklistStateSchema,
  type ChecklistStore,
  decodeChecklist,
  encodeChecklist,
  memoryChecklists,
} from '@/products/checklist-gate/index.js';

interface Model {
  iteration: number;
  readonly items: Map<string, { status: string; severity: number; accepted: boolean }>;
  /** What happened, as `TODO>PASS`. */
  readonly seen: Set<string>;
}
type Real = Pick<
  ChecklistGate,
  'update' | 'accept' | 'fixGuidance' | 'fixesApplied' | 'state' | 'status'
>;

const ids = Array.from({ length: 3 }, (_, index) => `plan-code-00${index + 1}`);
const severities = ['MUST', 'SHOULD', 'MAY'] as const;
const floor = (iteration: number): number => (iteration >= 5 ? 0 : iteration >= 3 ? 1 : 2);
const failing = (model: Model): string[] =>
  [...model.items]
    .filter(
      ([, { status, severity, accepted }]) =>
        status === 'FAIL' && !accepted && severity <= floor(model.iteration),
    )
    .map(([id]) => id);

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
    const isRight =
      item !== undefined &&
      item.status !== 'PASS' &&
      (status === 'PASS'
        ? this.finding === undefined
        : status === 'FAIL' && (this.finding ?? '').trim() !== '');
    const result = await gate
      .update(this.id, { status: this.status, finding: this.finding }, { artifacts: [] })
      .then(
        () => true,
        () => false,
      );
    expect(result).toBe(isRight);
    model.seen.add(`${item?.status ?? 'none'}>${isRight ? status : 'refused'}`);
    if (isRight) Object.assign(item, { status, accepted: false });
  }
  toString = (): string => `update(${this.id}, ${this.status}, ${this.finding})`;
}

class Accept implements fc.AsyncCommand<Model, Real> {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
  check = (): boolean => true;
  async run(model: Model, gate: Real): Promise<void> {
    const item = model.items.get(this.id);
    const isRight = item?.status === 'FAIL' && failing(model).length > 0 && model.iteration >= 5;
    const result = await gate.accept(this.id, { by: 'Ada', reason: 'known' }).then(
      () => true,
      () => false,
    );
    expect(result).toBe(isRight);
    model.seen.add(`accept ${isRight}`);
    if (isRight) item.accepted = true;
  }
  toString = (): string => `accept(${this.id})`;
}

class Fix implements fc.AsyncCommand<Model, Real> {
  check = (): boolean => true;
  async run(model: Model, gate: Real): Promise<void> {
    const failed = failing(model);
    expect((await gate.fixGuidance()).items.map(({ id }) => id)).toEqual(failed);
    await gate.fixesApplied();
    for (const id of failed) Object.assign(model.items.get(id) ?? {}, { status: 'TODO' });
    if (failed.length > 0) {
      model.iteration += 1;
      model.seen.add('FAIL>TODO');
    }
  }
  toString = (): string => 'fix()';
}

class Look implements fc.AsyncCommand<Model, Real> {
  check = (): boolean => true;
  async run(model: Model, gate: Real): Promise<void> {
    const state = await gate.state();
    expect(state.iteration).toBe(model.iteration);
    expect(state.items.map(({ id, status }) => [id, status])).toEqual(
      [...model.items].map(([id, { status }]) => [id, status]),
    );
    expect(
      state.items.every(({ status, finding }) => (status === 'FAIL') === (finding !== null)),
    ).toBe(true);
    // what nobody looked at passes in no round
    const open = [...model.items.values()].some(({ status }) => status === 'TODO');
    const { status, loop } = await gate.status();
    expect(status).toBe(open || failing(model).length > 0 ? 'FAIL' : 'PASS');
    const isFixing = failing(model).length > 0 || model.iteration > 1;
    expect(loop).toBe(
      status === 'PASS'
        ? 'COMPLETE'
        : failing(model).length > 0 && model.iteration >= 5
          ? 'ESCALATED'
          : isFixing
            ? 'RETRY'
            : 'INITIAL',
    );
    model.seen.add(loop);
    expect(decodeChecklist(encodeChecklist(state), { phase: 'plan-code', where: 'x' })).toEqual(
      state,
    );
  }
  toString = (): string => 'look()';
}

/** A gate at some iteration, with the store of its state. */
async function begun(
  iteration: number,
  options: Partial<ChecklistGateOptions> = {},
): Promise<{ readonly gate: ChecklistGate; readonly store: ChecklistStore }> {
  const store = memoryChecklists();
  const gate = new ChecklistGate({
    phase: 'plan-code',
    store,
    decompose: () =>
      ids.map((_, index) => ({ scope: '*', check: 'x', severity: severities[index % 3]! })),
    ...options,
  });
  await gate.decompose({ artifacts: [] });
  await store.update('plan-code', (state) => {
    const [first, ...others] = state!.items;
    // a round is earned by resets
    return {
      ...state!,
      iteration,
      items: [{ ...first!, iteration, version: iteration }, ...others],
    };
  });
  return { gate, store };
}

/** Whether a gate does what the model says, whatever verifiers, fixers and people do. */
async function conforms(
  make: (iteration: number) => Promise<Real>,
  options: fc.Parameters<unknown> = {},
): Promise<Set<string>> {
  const update = fc.tuple(
    fc.constantFrom(...ids, 'nope'),
    fc.constantFrom('PASS', 'FAIL', 'FAIL', 'fail', 'Pass', 'TODO', 'x'),
    fc.option(fc.constantFrom('bad', ' ', 'worse'), { nil: undefined, freq: 2 }),
  );
  const accept = fc.constantFrom(...ids, 'nope').map((id) => new Accept(id));
  const commands = fc.commands(
    [
      update.map((given) => new Update(...given)),
      accept,
      fc.constant(new Fix()),
      fc.constant(new Look()),
    ],
    { maxCommands: 40, size: 'max' },
  );
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(commands, fc.constantFrom(1, 2, 4, 5), async (given, iteration) => {
      const real = await make(iteration);
      const items = new Map(
        ids.map((id, index) => [id, { status: 'TODO', severity: index % 3, accepted: false }]),
      );
      await fc.asyncModelRun(() => ({ model: { iteration, items, seen }, real }), given);
    }),
    { numRuns: 100, ...options },
  );
  return seen;
}

describe('the state machine of a checklist', () => {
  it('follows its transitions whatever verifiers and fixers do [QR-32, QR-33, QR-47, QR-48, QR-49]', async () => {
    await conforms(async (iteration) => (await begun(iteration)).gate);
  });

  it('every transition and every state of the loop is tried [QR-51, QR-52, QR-53, D001-07]', async () => {
    const seen = await conforms(async (iteration) => (await begun(iteration)).gate, { seed: 1 });
    const transitions = [
      'TODO>PASS',
      'TODO>FAIL',
      'FAIL>PASS',
      'FAIL>FAIL',
      'FAIL>TODO',
      'TODO>refused',
      'FAIL>refused',
      'PASS>refused',
      'none>refused',
      'accept true',
      'accept false',
    ];
    expect([...seen].toSorted()).toEqual(
      [...transitions, 'INITIAL', 'RETRY', 'COMPLETE', 'ESCALATED'].toSorted(),
    );
  });

  const saboteurs: Readonly<Record<string, (iteration: number) => Promise<Real>>> = {
    'lets a fixer write PASS': async (iteration) => {
      const { gate, store } = await begun(iteration);
      const pass = (item: ChecklistItem): ChecklistItem =>
        item.status === 'FAIL' ? { ...item, status: 'PASS', finding: null } : item;
      return Object.assign(gate, {
        fixesApplied: async () =>
          void (await store.update('plan-code', (state) => ({
            ...state!,
            iteration: state!.iteration + 1,
            items: state!.items.map(pass),
          }))),
      });
    },
    'counts a fix of nothing': async (iteration) => {
      const { gate, store } = await begun(iteration);
      const fixesApplied = gate.fixesApplied.bind(gate);
      const count = async () => {
        const { failed } = await gate.status();
        if (failed.length === 0)
          await store.update('plan-code', (state) => ({
            ...state!,
            iteration: state!.iteration + 1,
          }));
        return fixesApplied();
      };
      return Object.assign(gate, { fixesApplied: count });
    },
    'passes while an item is open': async (iteration) => {
      const { gate } = await begun(iteration);
      const status = gate.status.bind(gate);
      const lenient = async (): ReturnType<ChecklistGate['status']> => {
        const told = await status();
        return told.failed.length > 0 ? told : { ...told, status: 'PASS', loop: 'COMPLETE' };
      };
      return Object.assign(gate, { status: lenient });
    },
    'never relaxes': async (iteration) =>
      (await begun(iteration, { blocking: [{ from: 1, blocks: 'MAY' }] })).gate,
    'relaxes at once': async (iteration) =>
      (await begun(iteration, { blocking: [{ from: 1, blocks: 'MUST' }] })).gate,
    'asks a person too early': async (iteration) =>
      (await begun(iteration, { maxIterations: 2 })).gate,
  };
  for (const [name, make] of Object.entries(saboteurs)) {
    it(`finds one that ${name}`, async () => {
      await expect(conforms(make, { endOnFailure: true })).rejects.toThrow(/Property failed/);
    });
  }

  it('a file of any JSON is read as a state, or refused with a typed error', () => {
    const item = fc.record(
      {
        id: fc.string(),
        scope: fc.string(),
        check: fc.string(),
        status: fc.anything(),
        finding: fc.anything(),
        severity: fc.anything(),
      },
      { requiredKeys: [] },
    );
    const file = fc.oneof(
      fc.anything(),
      fc.record({
        schema_version: fc.constantFrom('1.0', '1.1', '2.0', 1),
        phase: fc.constantFrom('plan-code', 'x'),
        items: fc.array(item, { maxLength: 3 }),
      }),
    );
    fc.assert(
      fc.property(file, (value) => {
        try {
          const state = decodeChecklist(JSON.stringify(value) ?? '', {
            phase: 'plan-code',
            where: 'x',
          });
          expect(ChecklistStateSchema.safeParse(state).success).toBe(true);
          expect(
            state.items.every(({ id }: ChecklistItem) => !/[\p{Cc}\u2028\u2029]/u.test(id)),
          ).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({
            code: expect.stringMatching(/^checklist_(corrupt|newer)$/),
          });
        }
      }),
    );
  });
});
