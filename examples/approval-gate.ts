/** A gate around an agent: its output goes out only if the reviewers and a person approve. */
import { definePipeline, memoryStore } from 'reviewloop';

// The agent: any async function, for example a graph or an agent of a framework.
const supportAgent = async (ticket: { readonly id: string; readonly text: string }) => ({
  ticket: ticket.id,
  reply: `Sorry to hear that. We refund ${ticket.text.match(/\d+/)?.[0] ?? 'the'} EUR.`,
});

const gate = definePipeline({
  name: 'refunds',
  produce: supportAgent,
  criteria: { polite: ({ reply }) => /sorry|thank/i.test(reply) || 'neither sorry nor thanks' },
  human: {
    policy: 'require',
    notify: async ({ question }) => console.log(`to the team: ${question}`),
  },
  store: memoryStore(),
});

const ticket = { id: 'T-17', text: 'My order of 40 EUR never came' };
const waiting = await gate.run(ticket, { runId: ticket.id });
console.log(waiting.status);

if (waiting.status === 'suspended') {
  // Later, for example in a web handler: `runId` and `id` name the question, `digest` the version.
  const [request] = waiting.requests;
  console.log(`allowed: ${request.allowed.join(', ')}`);
  const outcome = await gate.answer(request, { kind: 'approve', by: 'ann@example.org' });
  console.log(`${outcome.status}: ${outcome.reason}`);
  if (outcome.approved) console.log(`sent: ${outcome.output.reply}`);
}
