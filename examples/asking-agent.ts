/** An agent whose tool needs an approval: the run waits for a person, in the middle of its work. */
import { definePipeline, memoryStore } from 'reviewloop';
import * as z from 'zod';

let turns = 0;
let published = 0;

const prices = definePipeline<string, string>({
  name: 'prices',
  produce: async (topic, context) => {
    // A turn of the agent is a step: it is paid once, also after a restart.
    const price = await context.step('turn:1', { input: topic, schema: z.number() }, async () => {
      turns += 1;
      return 12;
    });
    // An approval of this call covers no other tool and no other price.
    const answer = await context.ask('publish', {
      question: 'May the agent publish the price?',
      subject: { tool: 'publish_price', input: { topic, price } },
      allowed: ['approve', 'reject'],
    });
    if (answer.kind !== 'approve') return `The price of ${topic} is not public.`;
    await context.step('publish', { input: price, schema: z.number() }, async () => {
      published += 1;
      return published;
    });
    return `The price of ${topic} is ${price} EUR.`;
  },
  criteria: { sentence: (text) => text.endsWith('.') || 'no sentence' },
  store: memoryStore(),
});

const waiting = await prices.run('tea', { runId: 'tea-1' });
console.log(`${waiting.status}, output: ${waiting.output}`);

if (waiting.status === 'suspended') {
  const [request] = waiting.requests;
  console.log(`${request.question} ${JSON.stringify(request.subject)}`);
  const outcome = await prices.answer(request, { kind: 'approve', by: 'ann@example.org' });
  console.log(`${outcome.status}: ${outcome.output}`);
  console.log(`turns: ${turns}, published: ${published}`);
}
