import { describe, expect, it } from 'vitest';
import { readFences } from '@/blocks/models/prompt/fence.js';
import type { LLMRequest } from '@/core/llm-provider.js';
import { memoryChecklists } from '@/ports/checklist/checklist-store.js';
import { ChecklistGate } from '@/products/checklist-gate/checklist-gate.js';
import type { ChecklistGateOptions } from '@/products/checklist-gate/gate-settings.js';
import {
  type DroppedItem,
  modelChecklist,
} from '@/products/checklist-gate/modules/model-checklist.js';
import { planCompleteness } from '@/products/checklist-gate/modules/plan-completeness.js';
import type { AgentOutput } from '@/products/self-review/agent.js';
import { hang, scriptedProvider } from '@/testing/index.js';
import { tokenOf } from '../../../../support/answering-judge.js';

const plan: AgentOutput = {
  artifacts: [
    {
      type: 'document',
      path: 'plan.md',
      content:
        '# P\n## M1: Parser\nAcceptance criteria:\n- reads it\nCode intent:\n- add src/a.ts\n',
    },
    { type: 'code', path: 'src/a.ts', content: 'one\ntwo' },
  ],
};
type Item = { scope: string; check: string; severity: string };
/** A model that reads the fences: it asks for rollback where the plan says nothing of it, and answers with what a test adds. */
const decomposer = (more: readonly Partial<Item>[] = []) =>
  scriptedProvider((request) => {
    const fences = request.messages.flatMap(({ content }) => readFences(content));
    const lacks = !fences.some(
      ({ label, text }) => label === 'artifact plan.md' && text.includes('rollback'),
    );
    const own = lacks
      ? [{ scope: 'milestone:M1', check: 'Can M1 be rolled back?', severity: 'MUST' }]
      : [];
    return JSON.stringify({
      token: tokenOf(request),
      items: [
        ...own,
        ...more.map((item) => ({ scope: '*', severity: 'SHOULD', check: 'Is it?', ...item })),
      ],
    });
  });
const fencesOf = ({ messages }: LLMRequest): Record<string, string> =>
  Object.fromEntries(
    messages.flatMap(({ content }) => readFences(content)).map(({ label, text }) => [label, text]),
  );
const gateOf = (options: Partial<ChecklistGateOptions>) =>
  new ChecklistGate({
    phase: 'plan-structure',
    store: memoryChecklists(),
    decompose: [planCompleteness(), modelChecklist({ phase: 'plan-structure' })],
    ...options,
  });

describe('modelChecklist', () => {
  it('adds the items of a model, which reads the items of the modules before [QR-08, QR-18]', async () => {
    const provider = decomposer();
    const { items } = await gateOf({ provider, request: 'a parser' }).decompose(plan);
    expect(items.length).toBe(6);
    expect(items.at(-1)).toMatchObject({
      id: 'plan-structure-006',
      scope: 'milestone:M1',
      check: 'Can M1 be rolled back?',
      severity: 'MUST',
      status: 'TODO',
      finding: null,
    });
    expect(items.at(-1)).not.toHaveProperty('rule');
    const fences = fencesOf(provider.requests[0]!);
    expect(fences['items']).toContain('milestone:M1: Milestone M1 has acceptance criteria.');
    expect(fences['scopes']).toBe('*\nmilestone:M1\nfile:plan.md\nfile:src/a.ts');
    expect(fences['request']).toBe('a parser');
  });

  it('without a model items with rules are verified, and the others stay TODO with a reason', async () => {
    const gate = gateOf({});
    expect((await gate.decompose(plan)).items.length).toBe(5);
    const { counts, text } = await gate.verify(plan);
    expect(counts).toEqual({ total: 5, pass: 3, fail: 0, todo: 2 });
    expect(text).toContain(
      '- plan-structure-005: not verified: the item needs a model (`provider`), `verify`, or a verifier that updates it',
    );
    await expect(
      gateOf({ decompose: modelChecklist({ phase: 'plan-structure' }) }).decompose(plan),
    ).rejects.toMatchObject({ code: 'checklist_empty' });
  });

  it('a proposed item is verified like any other, and stays TODO without a verifier', async () => {
    const store = memoryChecklists();
    await gateOf({ store, provider: decomposer() }).decompose(plan);
    expect((await gateOf({ store }).verify(plan)).text).toContain(
      '- plan-structure-006: not verified: the item needs a model',
    );
    expect((await gateOf({ store, verify: () => true }).verify(plan)).status).toBe('PASS');
  });

  it('refuses empty scopes, control characters, duplicates, and items beyond maxItems', async () => {
    const told: DroppedItem[] = [];
    const bad = [
      { scope: 'milestone:M9', check: 'Is M9 fine?' },
      { scope: 'file:../etc/passwd' },
      { scope: 'file:src/a.ts:7-9' },
      { scope: 'everything' },
      { scope: '*\nNEXT: Continue' },
      { check: '   ' },
      { check: 'a\u0000b' },
      { check: 'a\u202eb' },
      { check: 'x'.repeat(501) },
      { scope: 'milestone:M1', check: 'can m1 be ROLLED back' },
      { scope: 'milestone:M1', check: 'Milestone M1 has acceptance criteria.' },
    ];
    const good = [
      { scope: 'file:src/a.ts:2-2', check: 'Is line\n two right?' },
      { check: 'Is one too many?' },
    ];
    const module = modelChecklist({
      phase: 'plan-structure',
      provider: decomposer([...bad, ...good]),
      maxItems: 2,
      onDropped: (dropped) => told.push(...dropped),
    });
    const { items } = await gateOf({ decompose: [planCompleteness(), module] }).decompose(plan);
    expect(items.slice(5).map(({ scope, check }) => [scope, check])).toEqual([
      ['milestone:M1', 'Can M1 be rolled back?'],
      ['file:src/a.ts:2-2', 'Is line two right?'],
    ]);
    expect(told.map(({ reason }) => reason)).toEqual([
      ...[
        'milestone M9 is missing from plan.md',
        'file ../etc/passwd is missing',
        'src/a.ts has no lines 7-9',
        'everything is not a scope',
      ],
      ...Array(2).fill('its scope or question is empty, too long or has control characters'),
      ...Array(3).fill('its question is too long or has control characters'),
      ...Array(2).fill('another item asks the same'),
      'the model may add no more items (maxItems)',
    ]);
  });

  it('text in the work cannot answer for the model, because it does not know the token', async () => {
    const answers = [
      JSON.stringify({ token: 'guessed', items: [] }),
      JSON.stringify({ token: 'guessed', items: [] }),
    ];
    const gate = gateOf({ provider: scriptedProvider(answers) });
    await expect(gate.decompose(plan)).rejects.toMatchObject({ code: 'answer_mismatch' });
    await expect(gate.state()).rejects.toMatchObject({ code: 'checklist_missing' });
  });

  it('asks again when no item is usable, and accepts an empty list', async () => {
    const provider = scriptedProvider((request, call) =>
      JSON.stringify({
        token: tokenOf(request),
        items: call === 0 ? [{ scope: 'nowhere', check: 'x', severity: 'MUST' }] : [],
      }),
    );
    expect((await gateOf({ provider }).decompose(plan)).items.length).toBe(5);
    expect(provider.requests.length).toBe(2);
    expect(provider.requests[1]?.messages.at(-1)?.content).toContain('nowhere is not a scope');
  });

  it('a model that fails or hangs, or too large a work, is a typed error without a state', async () => {
    await expect(
      gateOf({ provider: scriptedProvider([new Error('down'), new Error('down')]) }).decompose(
        plan,
      ),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^provider_/) });
    const small = modelChecklist({
      phase: 'plan-structure',
      provider: decomposer(),
      maxPromptTokens: 5,
    });
    await expect(gateOf({ decompose: small }).decompose(plan)).rejects.toMatchObject({
      code: 'view_truncated',
    });
    const stop = new AbortController();
    const hanging = gateOf({ provider: scriptedProvider([hang]) }).decompose(plan, {
      signal: stop.signal,
    });
    stop.abort();
    await expect(hanging).rejects.toThrow();
  });

  it('checks its options when it is created', () => {
    const wrong = [null, { phase: 'x' }, { aspect: ' ' }, { maxItems: 0 }, { onDropped: 1 }];
    for (const options of wrong)
      expect(() =>
        modelChecklist((options && { phase: 'plan-code', ...options }) as never),
      ).toThrow(expect.objectContaining({ code: 'invalid_options' }));
    expect(modelChecklist({ phase: 'impl-code' }).aspect).toContain('all milestones delivered');
    expect(modelChecklist({ phase: 'impl-code', aspect: 'speed' }).aspect).toBe('speed');
  });
});
