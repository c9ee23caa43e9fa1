import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { interrupt, MemorySaver, MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { trace } from '@opentelemetry/api';
import { graphProducer } from 'reviewloop/langgraph';
import { type AgentWish, callsTool, hang, reply, runCells } from './cells.js';

class ScriptedModel extends BaseChatModel {
  readonly #wish: AgentWish;

  constructor(wish: AgentWish) {
    super({});
    this.#wish = wish;
  }

  override _llmType() {
    return 'scripted';
  }

  override async _generate(messages: BaseMessage[], options: { signal?: AbortSignal }) {
    const { counts, hangs, traced } = this.#wish;
    counts.model += 1;
    // LangGraph makes no spans of OpenTelemetry; what a model or a node makes is what there is
    if (traced) trace.getTracer('model').startSpan('scripted model').end();
    if (hangs) return hang(options.signal, counts);
    const text = JSON.stringify(messages.map((message) => [message.getType(), message.content]));
    const calls = callsTool(this.#wish, text, '"tool"');
    const message = new AIMessage({
      content: calls ? '' : reply(text),
      tool_calls: calls ? [{ id: 'call-1', name: 'publish', args: { price: 4 } }] : [],
    });
    Object.assign(message, {
      usage_metadata: {
        input_tokens: 10,
        output_tokens: 5,
        total_tokens: 15,
        input_token_details: { cache_read: 4 },
        output_token_details: { reasoning: 2 },
      },
    });
    return { generations: [{ text: '', message }] };
  }
}

/** A checkpointer that is kept in a file between processes. */
function keptSaver(folder: string): MemorySaver {
  const file = join(folder, 'graph.bin');
  const saver = new MemorySaver();
  if (existsSync(file)) Object.assign(saver, deserialize(readFileSync(file)));
  process.on('exit', () => {
    const { storage, writes } = saver;
    writeFileSync(file, serialize({ storage, writes }));
  });
  return saver;
}

const checkpointer = keptSaver(process.argv[3] ?? '');

await runCells((wish) => {
  const model = new ScriptedModel(wish);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addNode('tools', ({ messages }) => {
      const [call] = (messages.at(-1) as AIMessage).tool_calls ?? [];
      const { approved } = interrupt({ tool: call?.name, input: call?.args });
      if (approved) wish.counts.tool += 1;
      if (approved && wish.traced) trace.getTracer('tool').startSpan('publish').end();
      const content = approved ? 'published' : 'not allowed';
      return { messages: [new ToolMessage({ content, tool_call_id: call?.id ?? '' })] };
    })
    .addEdge('__start__', 'model')
    .addConditionalEdges('model', ({ messages }) =>
      ((messages.at(-1) as AIMessage).tool_calls ?? []).length > 0 ? 'tools' : '__end__',
    )
    .addEdge('tools', 'model')
    .compile({ checkpointer });
  const judge = (text: string) => model.invoke([new HumanMessage(`no title ${text}`)]);
  const maker = graphProducer<string, string>(graph, {
    input: (prompt) => ({ messages: [new HumanMessage(prompt)] }),
    output: ({ messages }) => String((messages as BaseMessage[]).at(-1)?.content),
  });
  return { ...maker, judge };
});
