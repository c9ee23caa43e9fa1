/**
 * A pipeline as a node of a graph of LangGraph. Its stream contains the reviews. A person approves through an interrupt; a reply about
 * another question does not count.
 */
import { Annotation, Command, END, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { definePipeline, type HumanRequest, memoryStore } from 'reviewloop';
import { reviewNode } from 'reviewloop/langgraph';

const article = definePipeline({
  // your model
  produce: async (topic: string) => `All about ${topic}.`,
  address: async (text) => `# Tea\n\n${text}`,
  criteria: { 'has-title': (text) => text.startsWith('# ') || 'no title' },
  human: { policy: 'require' },
  store: memoryStore(), // with a checkpointer that outlives the process: fileStore('.reviewloop')
});

const State = Annotation.Root({
  topic: Annotation<string>,
  draft: Annotation<string>,
  status: Annotation<string>,
});

const graph = new StateGraph(State)
  .addNode(
    'reviewed',
    reviewNode(article, {
      task: ({ topic }: typeof State.State) => topic,
      update: ({ output, status }) => ({ draft: output ?? '', status }),
    }),
  )
  .addEdge(START, 'reviewed')
  .addEdge('reviewed', END)
  .compile({ checkpointer: new MemorySaver() });

const thread = { configurable: { thread_id: 'tea' } };

/** Goes on with the graph, and returns the question that it asks, if any. */
async function go(input: Parameters<typeof graph.stream>[0]): Promise<HumanRequest | undefined> {
  const stream = await graph.stream(input, { ...thread, streamMode: 'custom' });
  for await (const { type, data } of stream) console.log(type, data.approved ?? '');
  const { values, tasks } = await graph.getState(thread);
  const asked = tasks[0]?.interrupts[0];
  if (asked === undefined) console.log(`${values.status}: ${values.draft.split('\n')[0]}`);
  else console.log(asked.value.refused ?? asked.value.question);
  return asked?.value;
}

const request = await go({ topic: 'tea' });
if (request !== undefined) {
  const { id, digest } = request;
  const answer = { kind: 'approve', by: 'ann' };
  await go(new Command({ resume: { id, digest: 'of an earlier draft', answer } }));
  await go(new Command({ resume: { id, digest, answer } }));
}
