/** A review as an output guardrail of the OpenAI Agents SDK: what is not approved trips it. */
import {
  Agent,
  type Model,
  OutputGuardrailTripwireTriggered,
  Runner,
  RunState,
  setTracingDisabled,
  Usage,
} from '@openai/agents';
import { definePipeline } from 'reviewloop';
import { agentsProducer, reviewGuardrail, runRevised } from 'reviewloop/openai-agents';

setTracingDisabled(true);

// a scripted model: it adds a title after a review asks for one
const model: Model = {
  getResponse: async ({ input }) => ({
    usage: new Usage(),
    output: [
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [
          {
            type: 'output_text',
            text: JSON.stringify(input).includes('no title') ? '# Tea' : 'All about tea.',
          },
        ],
      },
    ],
  }),
  getStreamedResponse: () => {
    throw new Error('this model does not stream');
  },
};

const criteria = { 'has-title': (text: string) => text.startsWith('# ') || 'no title' };
const writer = new Agent({ name: 'writer', model });
const runner = new Runner();

// the guardrail stops what is not approved
const check = definePipeline({ produce: async () => '', criteria });
const guarded = new Agent({
  name: 'guarded writer',
  model,
  outputGuardrails: [reviewGuardrail(check, { task: 'Write about tea' })],
});
try {
  await runner.run(guarded, 'Write about tea');
} catch (error) {
  if (!(error instanceof OutputGuardrailTripwireTriggered)) throw error;
  console.log(error.result.output.outputInfo.gaps[0].description);
}

// the agent revises what the guardrail stops
const result = await runRevised((input) => runner.run(guarded, input), 'Write about tea');
console.log(`let through: ${result.finalOutput}`);

// a pipeline round the agent does so too, and records it
const article = definePipeline({
  ...agentsProducer({ runner, agent: writer, fromString: RunState.fromString }),
  criteria,
});
const outcome = await article.run('Write about tea');
console.log(`${outcome.status}: ${outcome.output} after ${outcome.reviews.length} reviews`);
