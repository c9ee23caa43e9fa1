import { describe, expect, it } from 'vitest';
import { limiter } from '@/index.js';
import {
  ChecklistGate,
  type ChecklistModule,
  memoryChecklists,
  planCode,
  planCompleteness,
} from '@/products/checklist-gate/index.js';
import { fakeClock, fakeRandom } from '@/testing/index.js';
import { errorWith, withCode } from '../../../support/matchers.js';
import { decomposed, drafts, gateOf, noted, work } from './support.js';

const moduleOf = (id: string, check: () => true): ChecklistModule<never> => ({
  ...{
    name: id,
    phase: 'plan-structure',
    aspect: 'x',
    rules: [{ id, version: '1', check }],
    decompose: () => [{ scope: '*', check: 'x', rule: id }],
  },
});

describe('the options of a gate', () => {
  it('are checked by the constructor, with the name of the wrong one', () => {
    const wrong: readonly (readonly [string, object])[] = [
      ['phase', { phase: 'plan' }],
      ['store', { store: {} }],
      ['store', { store: { read: () => undefined } }],
      ['store', { store: { update: () => undefined } }],
      ['store', { store: undefined }],
      ['verify', { verify: true }],
      ['fix', { fix: 'x' }],
      ['select', { select: {} }],
      ['allowEmpty', { allowEmpty: 'yes' }],
      ['trustUnhashed', { trustUnhashed: 1 }],
      ['maxIterations', { maxIterations: 0 }],
      ['decompose', { decompose: [] }],
      ['decompose', { decompose: {} }],
      ['decompose', { decompose: { decompose: () => [] } }],
      ['decompose', { decompose: [planCode()] }],
      ['blocking', { blocking: [null] }],
      ['blocking', { blocking: [] }],
      ['blocking', { blocking: [{ from: 2, blocks: 'MAY' }] }],
      ['blocking', { blocking: [{ from: 1, blocks: 'COULDN' }] }],
      ['blocking', { blocking: ['MAY', 'MUST'].map((blocks) => ({ from: 1, blocks })) }],
      ['blocking', { blocking: 'all' }],
      ['colour', { colour: 'red' }],
    ];
    for (const [name, options] of wrong)
      expect(() => gateOf(options as never), name).toThrow(
        expect.objectContaining(errorWith('invalid_options', `\`${name}`)),
      );
    for (const options of [null, undefined, 'plan-code', 5])
      expect(() => new ChecklistGate(options as never), String(options)).toThrow(
        expect.objectContaining(errorWith('invalid_options', 'options')),
      );
    expect(() => gateOf({ colour: 'red' } as never)).toThrow('ChecklistGate');
    expect(() => planCode({ applyCheck: 'git' as never })).toThrow(withCode('invalid_options'));
  });

  it('another version of `verify` verifies again what passed', async () => {
    const asked: string[] = [];
    const store = memoryChecklists();
    const verify = async (verifyVersion?: string): Promise<number> => {
      asked.length = 0;
      const gate = await decomposed({
        ...{ store, verify: ({ id }) => noted(asked, id, true) },
        ...(verifyVersion !== undefined && { verifyVersion }),
      });
      await gate.verify(work());
      return asked.length;
    };
    expect([await verify(), await verify(), await verify('1')]).toEqual([3, 0, 0]);
    expect([await verify('2'), await verify('2'), await verify('3')]).toEqual([3, 0, 3]);
  });

  it('refuse two different rules with one id', () => {
    const [one, other] = [moduleOf('same', () => true), moduleOf('same', () => true)];
    expect(() => gateOf({ decompose: [one, other] as never })).toThrow(withCode('duplicate_id'));
    expect(() => gateOf({ decompose: [one, one] as never })).not.toThrow();
    expect(() => gateOf({ decompose: [planCompleteness(), planCompleteness()] })).not.toThrow();
  });

  it('pass the ports on to the engine', async () => {
    const warned: unknown[] = [];
    const warn = (fields: object): void => void warned.push(fields);
    const gate = gateOf({
      ...{
        clock: fakeClock(),
        random: fakeRandom(),
        limiter: limiter({ concurrency: 1 }),
        timeouts: { checkMs: 1000 },
        human: { policy: 'require' },
        retries: 0,
      },
      ...{ logger: { debug: () => {}, info: () => {}, warn, error: warn } },
    });
    const { outcome } = await gate.run(work());
    expect({ status: outcome.status, id: outcome.runId }).toEqual({
      status: 'suspended',
      id: fakeRandom().id(),
    });
  });

  it('`select` and `request` determine what the judges read', async () => {
    const seen: unknown[] = [];
    const gate = new ChecklistGate<{ body: string }>({
      ...{
        phase: 'plan-structure',
        store: memoryChecklists(),
        decompose: () => drafts,
        select: ({ body }, scope) => `${scope}: ${body}`,
        request: 'a plan',
      },
      verify: (_item, view) => noted(seen, view, true),
    });
    await gate.decompose({ body: 'text' });
    expect((await gate.verify({ body: 'text' })).status).toBe('PASS');
    expect(seen).toHaveLength(3);
    expect(seen).toEqual(expect.arrayContaining(['*: text', 'file:a.ts: text']));
  });
});
