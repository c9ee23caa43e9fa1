import { type ChatCompletionRequest, LLMock } from '@copilotkit/aimock';
import { onTestFinished } from 'vitest';
import type { LLMRequest } from '@/core/llm-provider.js';

/** A service that speaks the protocols of the vendors, by aimock, and answers as it is told; gone after the test. */
export async function aimockService(
  answer: (request: LLMRequest) => Promise<string>,
): Promise<LLMock> {
  const mock = new LLMock({ port: 0 });
  mock.onMessage(/[\s\S]*/, async (request) => ({ content: await answer(requestOf(request)) }));
  await mock.start();
  onTestFinished(() => mock.stop());
  return mock;
}

/** What the service was asked, whatever the protocol. */
function requestOf({ messages }: ChatCompletionRequest): LLMRequest {
  const told = messages.map(({ role, content }) => ({
    role,
    content:
      typeof content === 'string'
        ? content
        : (content ?? []).map(({ text = '' }) => text).join('\n'),
  }));
  const isSystem = (role: string): boolean => role !== 'user' && role !== 'assistant';
  return {
    system: told.flatMap(({ role, content }) => (isSystem(role) ? [content] : [])).join('\n'),
    messages: told.flatMap(({ role, content }) =>
      isSystem(role)
        ? []
        : [{ role: role === 'assistant' ? ('assistant' as const) : ('user' as const), content }],
    ),
    signal: new AbortController().signal,
  };
}
