/**
 * The model of the snippets: loaded before a snippet, it answers what goes to the address of Ollama, or to a server of
 * the protocol of OpenAI on this machine. A judge says no
 * until the text names a day or has a title; a writer writes; an editor adds the missing sentence. Everything else fails,
 * because snippets run without a network. It also sets what the page declares.
 */
import { ollamaAddress } from '@/adapters/providers/ollama/ollama-provider.js';
import { scriptedJudge } from '@/testing/index.js';
import { standIns } from './stand-ins.js';

interface ChatBody {
  readonly messages: { readonly role: 'user' | 'assistant' | 'system'; readonly content: string }[];
}

const judge = scriptedJudge({
  'when the money arrives': (text) =>
    /within \d+ days/.test(text)
      ? { answer: 'yes', reason: 'It names the days.' }
      : { answer: 'no', reason: 'no day is named', quote: 'We refund 40 EUR.' },
  '?': 'yes',
});
const edit = {
  path: 'output',
  search: 'We refund 40 EUR.',
  replace: 'We refund 40 EUR. The money arrives within 5 days.',
};

async function answerTo({ messages }: ChatBody): Promise<string> {
  const prompt = messages.map(({ content }) => content).join('\n');
  if (/^The token is \w+\.$/m.test(prompt)) {
    const asked = messages.filter(({ role }) => role !== 'system');
    const request = { messages: asked as never, signal: new AbortController().signal };
    return (await judge.generate(request)).text;
  }
  if (prompt.includes('"search"') || prompt.includes('edits'))
    return JSON.stringify({ edits: [edit] });
  return 'Hello Ann. We refund 40 EUR.';
}

/** The local server of the protocol of OpenAI that a page names. */
const openaiAddress = 'http://127.0.0.1:8000';

Object.assign(globalThis, standIns[process.env['SNIPPET_PAGE'] ?? '']);

globalThis.fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input);
  const isOllama = url.startsWith(ollamaAddress);
  if (!isOllama && !url.startsWith(openaiAddress)) throw new TypeError(`a snippet asks for ${url}`);
  const content = await answerTo(JSON.parse(String(init?.body)) as ChatBody);
  if (!isOllama)
    return Response.json({
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    });
  return Response.json({
    model: 'qwen3',
    message: { role: 'assistant', content },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 100,
    eval_count: 20,
  });
};
