import { AIMessage } from '@langchain/core/messages';
import {
  Annotation,
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { definePipeline, memoryStore, type Outcome, type Store } from 'reviewloop';
import { graphProducer, reviewNode } from 'reviewloop/langgraph';

// what happens to graphs that wait, stop or are answered twice; prints one JSON line for each
const State = Annotation.Root({
  order: Annotation<string>(),
  paid: Annotation<string>(),
  out: Annotation<string>(),
});
const ran: string[] = [];
const config = { configurable: { thread_id: 'r/1' } };

/** Pays, asks whether to refund, refunds. */
function graphOf(checkpointer: MemorySaver, asking = 'asks') {
  return new StateGraph(State)
    .addNode('pays', ({ order }) => {
      ran.push(`pays ${order}`);
      return { paid: `paid ${order}` };
    })
    .addNode(asking, ({ order }) => {
      const { approved } = interrupt({ refund: order });
      ran.push(approved ? `refunds ${order}` : 'refunds nothing');
      return { out: `the end of ${order}` };
    })
    .addEdge(START, 'pays')
    .addEdge('pays', asking as '__end__')
    .addEdge(asking as '__start__', END)
    .compile({ checkpointer });
}

function pipelineOf(graph: Parameters<typeof graphProducer>[0], store: Store = memoryStore()) {
  return definePipeline<string, string>({
    store,
    ...graphProducer<string, string>(graph, {
      input: (order) => ({ order }),
      output: ({ out }) => String(out),
    }),
    criteria: { ended: (text) => text.length > 0 },
  });
}

function tell(name: string, outcome: Outcome<unknown> | { code?: unknown }, more: object = {}) {
  console.log(
    JSON.stringify({ name, ...outcome, reviews: undefined, ran: ran.splice(0), ...more }),
  );
}

/** Suspends a run over one graph, and answers it over another. */
async function waits(
  name: string,
  change: (saver: MemorySaver) => MemorySaver,
  { asking, kind = 'approve' }: { asking?: string; kind?: 'approve' | 'reject' } = {},
) {
  const saver = new MemorySaver();
  const store = memoryStore();
  const first = await pipelineOf(graphOf(saver), store).run('ABC', { runId: 'r' });
  if (first.status !== 'suspended') throw new Error(first.reason);
  const pipeline = pipelineOf(graphOf(change(saver), asking), store);
  tell(name, await pipeline.answer(first.requests[0], { kind, by: 'ann', reason: 'no' }));
}

/** Returns a copy of a checkpointer, as another process would read it, without a value. */
function without(saver: MemorySaver, text: string): MemorySaver {
  const cut = (value: unknown): unknown => {
    if (value instanceof Uint8Array) {
      const read = new TextDecoder().decode(value);
      return new TextEncoder().encode(read.replaceAll(text, '""'));
    }
    if (Array.isArray(value)) return value.map(cut);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cut(one)]));
  };
  const { storage, writes } = saver;
  return Object.assign(new MemorySaver(), { storage: cut(storage), writes: cut(writes) });
}

await waits('same', (saver) => saver);
await waits('other process', (saver) => without(saver, 'nothing'));
await waits('rejected', (saver) => without(saver, 'nothing'), { kind: 'reject' });
await waits('lost', () => new MemorySaver());
await waits('lost, rejected', () => new MemorySaver(), { kind: 'reject' });
await waits('other version', (saver) => saver, { asking: 'renamed' });
await waits('truncated', (saver) => without(saver, '"paid ABC"'));
await waits('without questions', (saver) => Object.assign(saver, { writes: {} }));

/** A process that dies after the graph has ended, before its turn is recorded. */
async function dies() {
  const graph = graphOf(new MemorySaver());
  const store = memoryStore();
  const first = await pipelineOf(graph, store).run('ABC', { runId: 'r' });
  if (first.status !== 'suspended') throw new Error(first.reason);
  const resume = { [(await graph.getState(config)).tasks[0]?.interrupts[0]?.id ?? '']: {} };
  await graph.invoke(new Command({ resume: { ...resume } }), config);
  const answer = { kind: 'approve', by: 'ann' } as const;
  tell('ended before', await pipelineOf(graph, store).answer(first.requests[0], answer));
}
await dies();

for (const [name, options] of Object.entries({
  'stops before': { checkpointer: new MemorySaver(), interruptBefore: ['second' as const] },
  'stops after': { checkpointer: new MemorySaver(), interruptAfter: ['first' as const] },
  'stops at the end': { checkpointer: new MemorySaver(), interruptAfter: ['second' as const] },
  'stops unkept': { interruptBefore: ['second' as const] },
})) {
  const graph = new StateGraph(State)
    .addNode('first', () => ({ out: 'a draft' }))
    .addNode('second', () => ({ out: 'the end' }))
    .addEdge(START, 'first')
    .addEdge('first', 'second')
    .addEdge('second', END)
    .compile(options);
  tell(name, await pipelineOf(graph).run('ABC'));
}

for (const metadata of [
  { finish_reason: 'stop' },
  { stop_reason: 'end_turn' },
  { finishReason: 'STOP' },
  { finish_reason: 'length' },
  { finish_reason: 'content_filter' },
  { stop_reason: 'max_tokens' },
  { stop_reason: 'refusal' },
  { finishReason: 'SAFETY' },
  { done_reason: 'length' },
  { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
]) {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', () => ({
      messages: [new AIMessage({ content: 'a text', response_metadata: metadata })],
    }))
    .addEdge(START, 'model')
    .addEdge('model', END)
    .compile({ checkpointer: false });
  const pipeline = definePipeline<string, string>({
    ...graphProducer<string, string>(graph, {
      input: () => ({ messages: [] }),
      output: ({ messages }) => String((messages as AIMessage[]).at(-1)?.content),
    }),
    criteria: { said: (text) => text !== '' },
  });
  tell(`ends ${JSON.stringify(metadata)}`, await pipeline.run('x'));
}

/** Two people answer from one checkpoint. */
async function twice(name: string, second: object) {
  const reviewed = definePipeline<string, string>({
    store: memoryStore(),
    human: { policy: 'require' },
    produce: async (order) => `reply to ${order}`,
    criteria: { said: () => true },
  });
  const graph = new StateGraph(State)
    .addNode(
      'review',
      reviewNode(reviewed, {
        task: ({ order }: typeof State.State) => order,
        update: ({ status }) => ({ out: status }),
      }),
    )
    .addEdge(START, 'review')
    .addEdge('review', END)
    .compile({ checkpointer: new MemorySaver() });
  await graph.invoke({ order: 'ABC' }, config);
  const { config: fork, tasks } = await graph.getState(config);
  const { id, digest } = tasks[0]?.interrupts[0]?.value ?? {};
  const ann = { id, digest, answer: { kind: 'approve', by: 'ann' } };
  await graph.invoke(new Command({ resume: ann }), fork);
  const again = await graph
    .invoke(new Command({ resume: { ...ann, ...second } }), fork)
    .catch(({ code }) => ({ code }));
  const { values } = await graph.getState(config);
  tell(name, again, { first: values['out'] });
}
await twice('rejects second', { answer: { kind: 'reject', by: 'bob', reason: 'wrong sum' } });
await twice('approves second', { answer: { kind: 'approve', by: 'bob' } });
await twice('the same again', {});
