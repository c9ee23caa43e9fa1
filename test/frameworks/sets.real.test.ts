import { expect, it } from 'vitest';
import { describeFramework } from '../support/frameworks.js';

describeFramework('ai-6', (framework) => {
  it('loads the packages of its set', async () => {
    const { generateText } = await framework.load('ai');
    expect(generateText).toBeTypeOf('function');
    expect(await framework.load('ai/test')).toHaveProperty('MockLanguageModelV3');
  });
});
