import { describe, expect, it } from 'vitest';
import type { ModelAddressContext } from '@/blocks/address/address-with-model.js';
import {
  type AgentOutput,
  addressWithModel,
  agentRequest,
  BaseAgent,
  BaseAgentReviewCriteria,
  criterion,
  definePipeline,
  type Gap,
} from '@/index.js';
import { fakeReviewerContext, type ScriptedAnswer, scriptedProvider } from '@/testing/index.js';

const gapAt = (file?: string): Gap => ({
  id: 'g',
  severity: 'major',
  category: 'quality',
  description: 'too short',
  suggestedFix: 'more',
  estimatedEffort: 'small',
  autoFixable: true,
  ...(file && { affectedArtifact: file }),
});
const site = (): AgentOutput => ({
  artifacts: [
    { type: 'page', path: 'a.html', content: '<p>one</p><p>two</p>' },
    { type: 'css', path: 'b.css', content: 'p{}' },
  ],
  result: { pages: 1, title: 'x' },
});
const context = (extra: Partial<ModelAddressContext> = {}): ModelAddressContext => ({
  ...fakeReviewerContext(),
  prompt: 'PROMPT',
  ...extra,
});

async function addressed<Output>(
  output: Output,
  answers: readonly (object | ScriptedAnswer)[],
  { file, ...options }: { file?: string; allowOtherFiles?: boolean } = {},
): Promise<Output> {
  const provider = scriptedProvider(
    answers.map((answer) => (typeof answer === 'string' ? answer : JSON.stringify(answer))),
  );
  return addressWithModel({ provider, reasks: 0, ...options })(output, [gapAt(file)], context());
}

describe('addressWithModel', () => {
  it('replaces text that occurs exactly once, and merges the rest', async () => {
    const output = await addressed(site(), [
      {
        edits: [
          { path: 'a.html', search: 'one', replace: 'first' },
          { path: 'a.html', search: 'first</p>', replace: 'first.</p>' },
        ],
        result: '{"title":"y"}',
      },
    ]);
    expect(output).toEqual({
      artifacts: [
        { type: 'page', path: 'a.html', content: '<p>first.</p><p>two</p>' },
        { type: 'css', path: 'b.css', content: 'p{}' },
      ],
      result: { pages: 1, title: 'y' },
    });
  });

  it('takes whole files, new ones and deletions', async () => {
    const output = await addressed(site(), [
      {
        artifacts: [
          { path: 'a.html', content: 'new' },
          { type: 'page', path: 'c.html', content: 'c' },
        ],
        deleted: ['b.css'],
      },
    ]);
    expect(output.artifacts).toEqual([
      { type: 'page', path: 'a.html', content: 'new' },
      { type: 'page', path: 'c.html', content: 'c' },
    ]);
  });

  const edit = { path: 'a.html', search: 'one', replace: 'b' };
  const whole = { path: 'a.html', content: 'one' };
  it.each([
    ['text that occurs twice', { edits: [{ path: 'a.html', search: '<p>', replace: '' }] }],
    ['text that does not occur', { edits: [{ path: 'a.html', search: 'three', replace: '' }] }],
    ['no text', { edits: [{ path: 'a.html', search: '', replace: 'x' }] }],
    ['a file that is not there', { edits: [{ path: 'z.html', search: 'a', replace: 'b' }] }],
    ['a file that is also given whole', { edits: [edit], artifacts: [whole] }],
    ['a file twice', { artifacts: [whole, { ...whole, content: 'two' }] }],
    ['a deletion of what is not there', { deleted: ['z.html'] }],
    ['a result that is no JSON', { result: '{pages' }],
    ['another shape', { edits: 'all' }],
  ])('refuses %s, and changes nothing', async (_, answer) => {
    const output = site();
    await expect(addressed(output, [answer])).rejects.toMatchObject({ code: 'answer_mismatch' });
    expect(output).toEqual(site());
  });

  it('refuses to edit files that no gap is about, unless that is allowed', async () => {
    const edits = { edits: [{ path: 'b.css', search: 'p{}', replace: '' }] };
    await expect(addressed(site(), [edits], { file: 'a.html' })).rejects.toThrow(
      'b.css must not be changed',
    );
    expect(
      (await addressed(site(), [edits], { file: 'a.html', allowOtherFiles: true })).artifacts[1]
        ?.content,
    ).toBe('');
    expect((await addressed(site(), [edits])).artifacts[1]?.content).toBe('');
  });

  it('creates a file that a gap names', async () => {
    const answer = { artifacts: [{ type: 'page', path: 'new.html', content: 'x' }] };
    expect(
      (await addressed(site(), [answer], { file: 'new.html' })).artifacts.at(-1),
    ).toMatchObject({ path: 'new.html' });
  });

  it('does not replace a file whole that was not shown whole', async () => {
    const output = {
      artifacts: [{ type: 'page', path: 'a.html', content: `START${'x'.repeat(70_000)}END` }],
    };
    await expect(
      addressed(output, [{ artifacts: [{ path: 'a.html', content: 'START END' }] }]),
    ).rejects.toThrow('was not shown whole');
    expect(
      (
        await addressed(output, [
          { edits: [{ path: 'a.html', search: 'START', replace: 'BEGIN' }] },
        ])
      ).artifacts[0]?.content,
    ).toMatch(/^BEGINx+END$/);
  });

  it('improves texts and other data', async () => {
    expect(
      await addressed('tea is best', [
        { edits: [{ path: 'output', search: 'tea', replace: 'Tea' }] },
      ]),
    ).toBe('Tea is best');
    expect(await addressed('tea', [{ artifacts: [{ path: 'output', content: 'Tea' }] }])).toBe(
      'Tea',
    );
    await expect(
      addressed('tea', [{ artifacts: [{ path: 'other', content: 'Tea' }] }]),
    ).rejects.toMatchObject({ code: 'answer_mismatch' });
    expect(await addressed({ sql: 'select', rows: 3 }, [{ result: '{"sql":"select 1"}' }])).toEqual(
      { sql: 'select 1', rows: 3 },
    );
    await expect(
      addressed({ sql: 'select' }, [{ artifacts: [{ path: 'x', content: 'y' }] }]),
    ).rejects.toThrow('no artifacts');
  });

  it('lets the model mend edits that do not fit', async () => {
    const provider = scriptedProvider([
      JSON.stringify({ edits: [{ path: 'output', search: 'coffee', replace: '' }] }),
      JSON.stringify({ edits: [{ path: 'output', search: 'tea', replace: 'Tea' }] }),
    ]);
    expect(await addressWithModel({ provider })('tea', [gapAt()], context())).toBe('Tea');
    expect(provider.requests[1]?.messages.at(-1)?.content).toContain('does not occur exactly once');
  });

  it('tells what a person said, what came back and what was learned', async () => {
    const provider = scriptedProvider(['{}']);
    await addressWithModel({ provider })(
      'tea',
      [gapAt()],
      context({
        note: 'be kind',
        regressed: [{ ...gapAt(), description: 'lost title' }],
        lessons: 'cite sources',
      }),
    );
    const [prompt, more] = provider.requests[0]?.messages ?? [];
    expect(prompt?.content).toBe('PROMPT');
    expect(more?.content).toMatch(/be kind[\s\S]*- lost title[\s\S]*cite sources[\s\S]*"edits"/);
  });

  it('inherits the provider, makes one recorded step, and mends a text in a loop', async () => {
    const provider = scriptedProvider(() => ({
      text: JSON.stringify({ edits: [{ path: 'output', search: 'tea', replace: '# Tea' }] }),
      usage: { totalTokens: 7 },
    }));
    const pipeline = definePipeline({
      produce: async () => 'tea',
      address: addressWithModel(),
      criteria: { title: (text) => text.startsWith('# ') || 'no title' },
      provider,
    });
    expect(await pipeline.run('t')).toMatchObject({
      approved: true,
      output: '# Tea',
      usage: { address: { totalTokens: 7 } },
    });
    expect(provider.requests[0]?.messages[0]?.content).toContain('no title');
    expect(() =>
      definePipeline({
        produce: async () => 'tea',
        address: addressWithModel(),
        criteria: { a: () => true },
      }),
    ).toThrow(expect.objectContaining({ code: 'provider_missing' }));
    await expect(addressWithModel()('x', [], context())).rejects.toMatchObject({
      code: 'provider_missing',
    });
  });
});

describe('a BaseAgent with a provider', () => {
  class Criteria extends BaseAgentReviewCriteria {
    override agentId = 'writer';
    override criteria = [
      criterion<AgentOutput>(
        'long',
        (output) => (output.artifacts[0]?.content ?? '').includes('much more') || 'too short',
      ),
    ];
  }
  const provider = scriptedProvider(() =>
    JSON.stringify({
      improvements: [],
      edits: [{ path: 'output.md', search: 'Tea.', replace: 'Tea, and much more.' }],
    }),
  );

  class Writer extends BaseAgent {
    protected override readonly provider = provider;
    protected async produce(): Promise<AgentOutput> {
      return { artifacts: [{ type: 'text', path: 'output.md', content: 'Tea.' }] };
    }
    protected getReviewCriteria() {
      return new Criteria();
    }
  }

  it('asks it for improvements, without any code of its own (D004-24, SR-114)', async () => {
    const outcome = await new Writer().run(agentRequest('Write'));
    expect(outcome).toMatchObject({
      approved: true,
      output: { artifacts: [{ content: 'Tea, and much more.' }] },
    });
    expect(provider.requests.length).toBe(1);
  });
});
