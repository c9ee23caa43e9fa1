// The declarations of these packages need the types of a browser, which this project does not load.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createOpenAI as createOpenAIV2 } from 'ai-sdk-openai-v2';
import { createOpenAI as createOpenAIV3 } from 'ai-sdk-openai-v3';
import { createOpenAI as createOpenAIV4 } from 'ai-sdk-openai-v4';

export const models = {
  'specification v2': {
    protocol: 'chat',
    make: (url, apiKey, model) => createOpenAIV2({ apiKey, baseURL: `${url}/v1` }).chat(model),
  },
  'specification v3': {
    protocol: 'chat',
    make: (url, apiKey, model) => createOpenAIV3({ apiKey, baseURL: `${url}/v1` }).chat(model),
  },
  'specification v4': {
    protocol: 'responses',
    make: (url, apiKey, model) => createOpenAIV4({ apiKey, baseURL: `${url}/v1` }).responses(model),
  },
  Anthropic: {
    protocol: 'anthropic',
    make: (url, apiKey, model) => createAnthropic({ apiKey, baseURL: `${url}/v1` })(model),
  },
  compatible: {
    protocol: 'chat',
    make: (url, apiKey, model) =>
      createOpenAICompatible({ name: 'local', apiKey, baseURL: `${url}/v1` })(model),
  },
};
