import { Annotation, Command, END, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { reviewNode } from 'reviewloop/langgraph';
import { answered, draft, type StreamPart, show } from './streamed-review.js';

const State = Annotation.Root({ topic: Annotation<string>, draft: Annotation<string> });
const graph = new StateGraph(State)
  .addNode(
    'reviewed',
    reviewNode(draft, {
      task: ({ topic }: typeof State.State) => topic,
      update: ({ output }) => ({ draft: output ?? '' }),
    }),
  )
  .addEdge(START, 'reviewed')
  .addEdge('reviewed', END)
  .compile({ checkpointer: new MemorySaver() });

async function partsOf(input: Parameters<typeof graph.stream>[0]): Promise<StreamPart[]> {
  const config = { configurable: { thread_id: 'tea' }, streamMode: 'custom' as const };
  const parts: StreamPart[] = [];
  for await (const part of await graph.stream(input, config)) parts.push(part as StreamPart);
  return parts;
}

const asked = await partsOf({ topic: 'tea' });
show(asked);
show(await partsOf(new Command({ resume: answered(asked) })));
