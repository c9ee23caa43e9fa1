// the model of the page: it names the day when a review asks for it
import { type Model, Usage } from '@openai/agents';

export const model: Model = {
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
            text: JSON.stringify(input).includes('no day is named')
              ? 'We refund 40 EUR. The money arrives within 5 days.'
              : 'We refund 40 EUR.',
          },
        ],
      },
    ],
  }),
  getStreamedResponse: () => {
    throw new Error('this model does not stream');
  },
};
