import { describe, expect, it } from 'vitest';
import { limiter } from '@/index.js';
import type { AuditEntry } from '@/ports/audit-chain.js';
import {
  type ChecklistItem,
  ChecklistLoopState,
  memoryChecklists,
} from '@/products/checklist-gate/index.js';
import { errorWith, expectCode } from '../../../support/matchers.js';
import { decomposed, drafts, gateOf, idsOf, noted, work } from './support.js';

describe('decompose', () => {
  it('breaks the work into items with ids of the phase, all TODO [QR-08, QR-18, QR-19, QR-29]', async () => {
    const store = memoryChecklists();
    const seen: unknown[] = [];
    await gateOf({ store, decompose: (given) => noted(seen, given, drafts) }).decompose(
      work('read'),
    );
    expect(seen).toEqual([work('read')]);
    const state = await store.read('plan-structure');
    const made = { status: 'TODO', finding: null, version: 1, iteration: 1 };
    expect(state?.items).toMatchObject(idsOf(3).map((id) => ({ id, ...made })));
    expect(state?.items).toHaveLength(3);
  });

  it('answers in the QR checklist format [QR-14]', async () => {
    expect((await gateOf().decompose(work())).text).toBe(
      [
        ...['DECOMPOSE COMPLETE', '', 'Items created: 3'],
        '- plan-structure-001: The whole is fine. (scope: *)',
        '- plan-structure-002: The file is fine. (scope: file:a.ts)',
        ...['- plan-structure-003: The file is pretty. (scope: file:a.ts)', ''],
        'NEXT: Invoke verifiers for each item.',
      ].join('\n'),
    );
  });

  it('happens once per phase, and its items stay [D001-09]', async () => {
    let calls = 0;
    const gate = gateOf({ decompose: () => (++calls > 0 ? drafts : []) });
    expect((await gate.decompose(work())).created).toBe(true);
    await gate.update('plan-structure-001', { status: 'FAIL', finding: 'no' });
    const again = await gate.decompose(work('other'));
    expect([again.created, calls, again.items[0]?.status]).toEqual([false, 1, 'FAIL']);
    expect(again.text).toContain('Items created: 0 (3 exist)\n- plan-structure-001');
  });

  it('other paths are refused, also by the slower of two at once [R2-096]', async () => {
    const store = memoryChecklists();
    const from = (...inputs: string[]) => gateOf({ store }).decompose(work(), { inputs });
    const [first, second] = await Promise.allSettled([from('a.md', 'b'), from('c.md')]);
    expect(first).toMatchObject({ status: 'fulfilled', value: { created: true } });
    expect(second).toMatchObject({
      status: 'rejected',
      reason: errorWith(
        'checklist_exists',
        'plan-structure was decomposed from a.md, b, not from c.md',
      ),
    });
    expect(await from('b', 'a.md')).toMatchObject({ created: false });
    await expect(from('b')).rejects.toMatchObject({ code: 'checklist_exists' });
    expect((await gateOf({ store }).decompose(work())).created).toBe(false);
    expect((await store.read('plan-structure'))?.inputs).toEqual(['a.md', 'b']);
  });

  it('a PASS about other content is counted as TODO [R2-112]', async () => {
    const gate = await decomposed();
    await gate.verify(work());
    expect(await gate.status(work())).toMatchObject({ counts: { pass: 3, todo: 0 } });
    expect(await gate.status(work('other'))).toMatchObject({
      status: 'FAIL',
      counts: { total: 3, pass: 0, fail: 0, todo: 3 },
    });
  });

  it('zero items fail closed unless they are allowed by name [D001-17]', async () => {
    await expectCode(gateOf({ decompose: () => [] }).decompose(work()), 'checklist_empty');
    const gate = await decomposed({ decompose: () => [], allowEmpty: true });
    expect(await gate.verify(work())).toMatchObject({
      status: 'PASS',
      counts: { total: 0 },
      review: undefined,
    });
  });

  it.each(['a\nb', 'a\u0085b', 'a\u2028b', 'a\u2029b', 'a\u001bb', 'a\u202eb', ' a', ''])(
    'refuses the scope %j',
    async (scope) => {
      await expectCode(
        gateOf({ decompose: () => [{ scope, check: 'x' }] }).decompose(work()),
        'checklist_item_invalid',
      );
    },
  );
});

describe('verify', () => {
  it('verifies each item and passes, in the QR checklist format [QR-15, QR-20, QR-23]', async () => {
    const seen: string[] = [];
    const gate = await decomposed({ verify: ({ id }) => noted(seen, id, true) });
    const { text, status, loop } = await gate.verify(work());
    expect(text).toBe(
      'VERIFICATION COMPLETE\n\nStatus: PASS\nItems: 3 total, 3 PASS, 0 FAIL\n\nNEXT: Continue to next phase.',
    );
    expect({ status, loop, seen: seen.sort() }).toEqual({
      status: 'PASS',
      loop: 'COMPLETE',
      seen: idsOf(3),
    });
  });

  it('fails with the findings of what failed, in the QR checklist format [QR-16, QR-33, D001-16]', async () => {
    const gate = await decomposed({
      verify: ({ id }) => id !== 'plan-structure-002' || 'Not fine:\nforged - line',
    });
    const { text } = await gate.verify(work());
    expect(text).toBe(
      'VERIFICATION COMPLETE\n\nStatus: FAIL\nItems: 3 total, 2 PASS, 1 FAIL\nFailed items:\n- plan-structure-002: Not fine: forged - line\n\nNEXT: Invoke fixer with failed items.',
    );
    expect((await gate.state()).items.map(({ finding }) => finding)).toEqual([
      null,
      'Not fine:\nforged - line',
      null,
    ]);
  });

  it('macro items one after another in their order, micro items together under the limit [QR-21, QR-22, QR-30, D001-12]', async () => {
    const order: string[] = [];
    let out = 0;
    let most = 0;
    let macros = 0;
    const items = [
      ...Array.from({ length: 4 }, () => ({ scope: '*', check: 'm' })),
      ...Array.from({ length: 12 }, () => ({ scope: 'file:a.ts', check: 'f' })),
    ];
    const gate = await decomposed({
      decompose: () => items,
      limiter: limiter({ concurrency: 5 }),
      verify: async ({ id, scope }): Promise<true> => {
        out += 1;
        most = Math.max(most, out);
        if (scope === '*') {
          macros += 1;
          order.push(id);
          expect(macros).toBe(1);
        }
        for (let turn = 0; turn < 5; turn += 1)
          await new Promise((resolve) => setImmediate(resolve));
        out -= 1;
        if (scope === '*') macros -= 1;
        return true;
      },
    });
    expect((await gate.verify(work())).status).toBe('PASS');
    expect(order).toEqual(idsOf(4));
    expect(most).toBe(5);
  });

  it('verifies changed content again, and unchanged content never [D001-10]', async () => {
    const asked: string[] = [];
    const gate = gateOf({
      decompose: () => [...drafts, { scope: 'file:b.ts', check: 'b' }],
      verify: ({ id }) => noted(asked, id, true),
    });
    const both = (a: string) => ({
      artifacts: [...work(a).artifacts, ...work('b', 'b.ts').artifacts],
    });
    await gate.decompose(both('1'));
    await gate.verify(both('1'));
    expect(asked.length).toBe(4);
    await gate.verify(both('1'));
    expect(asked.length).toBe(4);
    expect((await gate.status(both('2'))).unverified.map(({ id }) => id)).toEqual(idsOf(3));
    await gate.verify(both('2'));
    expect(asked.slice(4).sort()).toEqual(idsOf(3));
  });

  it('an item stays TODO and the gate FAIL after an invalid answer or an error [QR-60]', async () => {
    for (const verify of [
      () => Promise.reject(new Error('down')),
      () => '',
      () => undefined,
      () => false,
    ] as never[]) {
      const gate = await decomposed({ verify, retries: 0 });
      const { status, counts, text } = await gate.verify(work());
      expect({ status, counts }).toEqual({
        status: 'FAIL',
        counts: { total: 3, pass: 0, fail: 0, todo: 3 },
      });
      expect(text).toContain('Unverified items:\n- plan-structure-001: could not be verified');
      expect(text).toContain('NEXT: Invoke verifiers for the unverified items.');
    }
  });

  it('an errored judge prevents a PASS, even on an item that no longer blocks [law 1]', async () => {
    const gate = await decomposed({
      blocking: [{ from: 1, blocks: 'MUST' }],
      retries: 0,
      verify: ({ severity }) => (severity === 'MAY' ? Promise.reject(new Error('down')) : true),
    });
    expect(await gate.verify(work())).toMatchObject({
      status: 'FAIL',
      unverified: [{ id: 'plan-structure-003' }],
    });
  });

  it('items stay TODO with a reason without a model or verifier, and block the PASS', async () => {
    const gate = await decomposed({ verify: undefined });
    const { status, text, counts } = await gate.verify(work());
    expect({ status, todo: counts.todo }).toEqual({ status: 'FAIL', todo: 3 });
    expect(text).toContain(
      '- plan-structure-001: not verified: the item needs a model (`provider`), `verify`, or a verifier that updates it',
    );
    for (const { id } of (await gate.state()).items)
      await gate.update(id, { status: 'pass' }, work());
    expect((await gate.verify(work())).status).toBe('PASS');
    expect((await gate.verify(work('changed'))).status).toBe('FAIL');
  });

  it('fails closed without a state', async () => {
    await expect(gateOf().verify(work())).rejects.toMatchObject(
      errorWith('checklist_missing', 'QR state file not found: qr-plan-structure.json'),
    );
    await expect(gateOf().status()).rejects.toMatchObject({ code: 'checklist_missing' });
    await expectCode(gateOf({ decompose: undefined }).run(work()), 'checklist_missing');
  });

  it('a PASS without digests counts only with trustUnhashed', async () => {
    const store = memoryChecklists();
    const asked: string[] = [];
    await gateOf({ store }).decompose(work());
    await store.update('plan-structure', (state) => ({
      ...state!,
      items: state!.items.map((item): ChecklistItem => ({ ...item, status: 'PASS' })),
    }));
    expect((await gateOf({ store }).status()).unverified.length).toBe(3);
    const verified = async (trustUnhashed: boolean) =>
      (
        await gateOf({ store, trustUnhashed, verify: ({ id }) => noted(asked, id, true) }).verify(
          work(),
        )
      ).status;
    expect([await verified(true), asked.length]).toEqual(['PASS', 0]);
    expect([await verified(false), asked.length]).toEqual(['PASS', 3]);
  });
});

describe('the fixer', () => {
  /** A gate of which two items have failed, and what the verification said. */
  const failing = async () => {
    const verify = ({ severity }: ChecklistItem) =>
      severity === 'MUST' || { finding: 'bad', fix: 'do\nit' };
    const gate = await decomposed({ verify });
    return Object.assign(gate, { said: await gate.verify(work()) });
  };

  it('gets instructions for every failed item, in the QR checklist format [QR-17, QR-24]', async () => {
    const gate = await failing();
    expect((await gate.fixGuidance()).text).toBe(
      'FIX GUIDANCE\n\nItem plan-structure-002: bad\nScope: file:a.ts\nFix: do\n  it\n\nItem plan-structure-003: bad\nScope: file:a.ts\nFix: do\n  it',
    );
  });

  it('sees an overview and the failed items, and no passed item [QR-12, QR-41, QR-42]', async () => {
    const gate = await failing();
    const { prompt } = await gate.fixGuidance();
    const rule = '='.repeat(60);
    expect(prompt.split('\n')).toEqual([
      '3 items: 1 PASS, 2 FAIL',
      ...['', rule, 'FAILED QR ITEMS TO FIX (address these FIRST):', rule, ''],
      '[plan-structure-002] The file is fine.',
      ...['    Scope: file:a.ts', '    Finding: bad', ''],
      '[plan-structure-003] The file is pretty.',
      ...['    Scope: file:a.ts', '    Finding: bad', '', rule],
    ]);
    expect(gate.said.text).not.toContain('do\n');
  });

  it('resets failed items, and writes neither PASS nor FAIL [QR-44, QR-45, D001-08]', async () => {
    const gate = await failing();
    expect(await gate.fixesApplied()).toBe('Fixes applied');
    expect((await gate.state()).items.map(({ status, finding }) => [status, finding])).toEqual([
      ['PASS', null],
      ['TODO', null],
      ['TODO', null],
    ]);
  });

  it('raises the iteration once per fix cycle, however often it reports', async () => {
    const gate = await failing();
    expect([gate.said.iteration, (await gate.verify(work())).iteration]).toEqual([1, 1]);
    await gate.fixesApplied();
    await gate.fixesApplied();
    expect((await gate.verify(work('2'))).iteration).toBe(2);
    await gate.fixesApplied();
    expect((await gate.state()).iteration).toBe(3);
  });

  it('gets an instruction with the check of an item without a finding [D001-18]', async () => {
    const store = memoryChecklists();
    const gate = await decomposed({ store });
    await store.update('plan-structure', (state) => ({
      ...state!,
      items: state!.items.map((item): ChecklistItem => ({ ...item, status: 'FAIL' })),
    }));
    expect((await gate.fixGuidance()).text).toContain(
      'Item plan-structure-002: The file is fine.\nScope: file:a.ts\nFix: Change file:a.ts so that this is true: The file is fine.',
    );
  });
});

describe('severity by iteration', () => {
  const at = async (iteration: number, severity: string) => {
    const store = memoryChecklists();
    const gate = await decomposed({
      store,
      decompose: () => [{ scope: '*', check: 'x', severity: severity as never }],
    });
    await store.update('plan-structure', (state) => ({ ...state!, iteration }));
    await gate.update('plan-structure-001', { status: 'FAIL', finding: 'bad' }, work());
    return (await gate.status()).status;
  };

  it('all block in 1 and 2, MUST and SHOULD in 3 and 4, MUST from 5 on [QR-46, QR-47, QR-48, QR-49, QR-50, D001-04]', async () => {
    const blocks = async (severity: string) => {
      const found: number[] = [];
      for (const iteration of [1, 2, 3, 4, 5, 6, 50])
        if ((await at(iteration, severity)) === 'FAIL') found.push(iteration);
      return found;
    };
    expect(await blocks('MAY')).toEqual([1, 2]);
    expect(await blocks('SHOULD')).toEqual([1, 2, 3, 4]);
    expect(await blocks('MUST')).toEqual([1, 2, 3, 4, 5, 6, 50]);
  });

  it('a gate with only failures that no longer block passes, and lists them; nobody accepted them [D001-11, R2-112]', async () => {
    const store = memoryChecklists();
    const asked: string[] = [];
    const gate = await decomposed({
      store,
      verify: ({ id, severity }) => noted(asked, id, severity !== 'MAY' || 'not pretty'),
    });
    await gate.verify(work());
    await store.update('plan-structure', (state) => ({ ...state!, iteration: 3 }));
    const { status, text, accepted } = await gate.verify(work('changed'));
    expect({ status, ids: accepted.map(({ id, status: kept }) => [id, kept]) }).toEqual({
      status: 'PASS',
      ids: [['plan-structure-003', 'FAIL']],
    });
    expect(text).toContain('Findings that do not block:\n- plan-structure-003: not pretty');
    expect(text).not.toContain('ccepted');
    expect(asked.filter((id) => id === 'plan-structure-003').length).toBe(1);
  });

  it('follows other tables', async () => {
    for (const [should, must] of [
      [3, 4],
      [4, 5],
      [5, 6],
    ] as const) {
      const store = memoryChecklists();
      const gate = await decomposed({
        store,
        blocking: [
          { from: 1, blocks: 'MAY' },
          { from: should, blocks: 'SHOULD' },
          { from: must, blocks: 'MUST' },
        ],
        decompose: () => [{ scope: '*', check: 'x', severity: 'SHOULD' }],
      });
      await gate.update('plan-structure-001', { status: 'FAIL', finding: 'x' }, work());
      for (const [iteration, status] of [
        [must - 1, 'FAIL'],
        [must, 'PASS'],
      ] as const) {
        await store.update('plan-structure', (state) => ({ ...state!, iteration }));
        expect((await gate.status()).status).toBe(status);
      }
    }
  });
});

describe('ChecklistLoopState [QR-51, QR-52, QR-53]', () => {
  it('its transitions, with RETRY to COMPLETE and an end at the ceiling [QR-54, QR-55, D001-06, D001-07, R2-126]', async () => {
    const { INITIAL, RETRY, COMPLETE, ESCALATED } = ChecklistLoopState;
    const looped = async (answers: readonly boolean[]) => {
      let round = 0;
      const gate = await decomposed({ maxIterations: 3, verify: () => answers[round] || 'bad' });
      const states: unknown[] = [];
      for (; round < answers.length; round += 1) {
        const before = await gate.status(work(`round ${round}`));
        states.push([before.loop, before.iteration]);
        const { loop } = await gate.verify(work(`round ${round}`));
        states.push([loop, (await gate.status()).iteration]);
        if (!answers[round]) await gate.fixesApplied();
      }
      return states;
    };
    expect(await looped([true])).toEqual([
      [INITIAL, 1],
      [COMPLETE, 1],
    ]);
    expect(await looped([false, false, true])).toEqual([
      [INITIAL, 1],
      [RETRY, 1],
      [RETRY, 2],
      [RETRY, 2],
      [RETRY, 3],
      [COMPLETE, 3],
    ]);
    expect((await looped([false, false, false])).at(-1)).toEqual([ESCALATED, 3]);
  });
});

describe('accept', () => {
  const escalated = async (audit?: { record: (entry: AuditEntry) => Promise<never> }) => {
    const gate = await decomposed({
      maxIterations: 1,
      verify: ({ severity }) => severity !== 'MUST' || 'bad',
      ...(audit && { audit }),
    });
    expect((await gate.verify(work())).loop).toBe('ESCALATED');
    return gate;
  };

  it('accepts a failure with a reason after a person was asked, and audits it first', async () => {
    const told: AuditEntry[] = [];
    const gate = await escalated({
      record: async (entry) => noted(told, entry, { seq: 1, hash: '' } as never),
    });
    await gate.accept('plan-structure-001', { by: 'Ada', reason: 'known' });
    expect(told).toEqual([
      {
        kind: 'checklist.accept',
        who: 'Ada',
        verdict: 'FAIL: bad',
        decision: 'accept',
        reason: 'known',
        details: { phase: 'plan-structure', item: 'plan-structure-001' },
      },
    ]);
    expect(await gate.verify(work())).toMatchObject({
      status: 'PASS',
      loop: 'COMPLETE',
      text: expect.stringContaining('(accepted by Ada: known)'),
    });
  });

  it('removes a key from the reason before anybody hears of it [R2-074]', async () => {
    const secret = `ghp_${'a1B2c3'.repeat(6)}`;
    const told: AuditEntry[] = [];
    const gate = await escalated({
      record: async (entry) => noted(told, entry, { seq: 1, hash: '' } as never),
    });
    const item = await gate.accept('plan-structure-001', { by: 'Ada', reason: `has ${secret}` });
    const seen = JSON.stringify([told, item, await gate.verify(work())]);
    expect(seen).toContain('has [REDACTED:github]');
    expect(seen).not.toContain(secret);
  });

  it('changes nothing without a reason, a failure, a question, or an audit log', async () => {
    const gate = await escalated();
    const accept = (of: typeof gate, item = '001', reason = 'x') =>
      expect(of.accept(`plan-structure-${item}`, { by: 'Ada', reason })).rejects;
    await accept(gate, '001', ' ').toMatchObject({ code: 'reason_required' });
    await accept(gate, '002').toMatchObject({ code: 'checklist_transition' });
    await accept(gate, 'nope').toMatchObject({ code: 'checklist_item_unknown' });
    const refusing = await escalated({ record: () => Promise.reject(new Error('full')) });
    await accept(refusing).toMatchObject({ code: 'audit_unwritable' });
    expect((await refusing.status()).status).toBe('FAIL');
    const early = await decomposed({ verify: () => 'bad' });
    await early.verify(work());
    await accept(early).toMatchObject({ code: 'checklist_not_escalated' });
  });
});
