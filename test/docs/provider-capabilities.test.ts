import { expect, it } from 'vitest';
import { aiSdkProvider } from '@/adapters/providers/ai-sdk/ai-sdk-provider.js';
import { anthropicProvider } from '@/adapters/providers/anthropic/index.js';
import { cliProvider } from '@/adapters/providers/cli/cli-provider.js';
import { textCommand } from '@/adapters/providers/cli/text-command.js';
import { ollamaProvider } from '@/adapters/providers/ollama/index.js';
import { openaiProvider } from '@/adapters/providers/openai/index.js';
import type { LLMProvider } from '@/core/llm-provider.js';
import { readSource } from '../architecture/repository.js';

const model = 'm';
const sdk = {
  specificationVersion: 'v3',
  provider: 'openai.chat',
  modelId: model,
  doGenerate: async () => ({}),
};

const providers: Readonly<Record<string, LLMProvider>> = {
  aiSdkProvider: aiSdkProvider(sdk),
  openaiProvider: openaiProvider({ model }),
  anthropicProvider: anthropicProvider({ model }),
  ollamaProvider: ollamaProvider({ model }),
  'cliProvider, claude': cliProvider({ command: 'claude' }),
  'cliProvider, codex': cliProvider({ command: 'codex' }),
  'cliProvider, textCommand': cliProvider({ command: textCommand({ executable: 'x' }) }),
};

const yes = (flag: boolean): string => (flag ? 'yes' : 'no');

it('the table of capabilities in docs/blocks/providers.md says what the providers say', () => {
  const rows = Object.entries(providers).map(
    ([name, { capabilities }]) =>
      `| ${name} | ${capabilities.structured} | ${capabilities.schemaSubset} | ${yes(capabilities.reportsUsage)} | ${yes(capabilities.reportsCost)} | ${yes(capabilities.streaming)} |`,
  );
  expect(readSource('docs/blocks/providers.md')).toContain(
    [
      '| | structured | schemas | usage | cost | streaming |',
      '|---|---|---|---|---|---|',
      ...rows,
    ].join('\n'),
  );
});
