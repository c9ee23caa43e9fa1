import { describe, expect, it } from 'vitest';
import { reviewGuardrail, runRevised } from '@/adapters/frameworks/openai-agents/index.js';
import { definePipeline } from '@/blocks/pipeline/define-pipeline.js';

const check = definePipeline<string, string>({
  produce: async () => '',
  criteria: { 'has-title': (text) => text.startsWith('# ') || 'no title' },
});

/** A runner as the SDK has it: the guardrail reviews each output, and what trips it is thrown. */
function runnerOf(...texts: string[]) {
  const inputs: unknown[] = [];
  const guardrail = reviewGuardrail(check, { task: 'Write about tea' });
  const run = async (input: unknown) => {
    inputs.push(input);
    const agentOutput = texts.shift() ?? '';
    const output = await guardrail.execute({ agentOutput });
    if (!output.tripwireTriggered) return { finalOutput: agentOutput };
    const history = [{ role: 'user', content: 'first' }];
    throw Object.assign(new Error('tripped'), { result: { output }, state: { history } });
  };
  return { inputs, run };
}

describe('runRevised', () => {
  it('runs the agent again with its conversation and the gaps, until the guardrail lets it through', async () => {
    const { inputs, run } = runnerOf('tea', 'more tea', '# Tea');
    expect(await runRevised(run, 'Write')).toEqual({ finalOutput: '# Tea' });
    expect(inputs[0]).toBe('Write');
    expect(inputs).toHaveLength(3);
    expect(inputs[2]).toMatchObject([{ role: 'user', content: 'first' }, { role: 'user' }]);
    expect(JSON.stringify(inputs[2])).toContain('no title');
    expect(JSON.stringify(inputs[2])).toContain('more tea');
  });

  it('throws what the guardrail threw after the last attempt', async () => {
    const { inputs, run } = runnerOf('tea', 'tea', '# Tea');
    await expect(runRevised(run, 'Write', { attempts: 2 })).rejects.toThrow('tripped');
    expect(inputs).toHaveLength(2);
  });

  it('begins with the input where the SDK gives no conversation', async () => {
    const inputs: unknown[] = [];
    const { run } = runnerOf('tea', '# Tea');
    const without = (input: unknown) => {
      inputs.push(input);
      return run(input).catch((error: object) => {
        throw Object.assign(error, { state: undefined });
      });
    };
    await runRevised(without, [{ role: 'user', content: 'Write' }]);
    expect(inputs[1]).toMatchObject([{ role: 'user', content: 'Write' }, { role: 'user' }]);
  });

  it('throws any other error at once, also that of another guardrail', async () => {
    let runs = 0;
    const failing = (error: unknown) => async (): Promise<object> => {
      runs += 1;
      throw error;
    };
    await expect(runRevised(failing(new Error('offline')), 'Write')).rejects.toThrow('offline');
    const other = Object.assign(new Error('rude'), { result: { output: { outputInfo: {} } } });
    await expect(runRevised(failing(other), 'Write')).rejects.toThrow('rude');
    expect(runs).toBe(2);
  });

  it('refuses a streamed run, and options that it does not know', async () => {
    const streamed = async () => ({ completed: Promise.resolve() });
    await expect(runRevised(streamed, 'Write')).rejects.toThrow(/without `stream`/);
    await expect(runRevised(streamed, 'Write', { attempts: 0 })).rejects.toThrow(/attempts/);
    await expect(runRevised(streamed, 'Write', { tries: 2 } as never)).rejects.toThrow(/tries/);
  });
});
