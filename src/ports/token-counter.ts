/** Counts the tokens of a text, for budgets and for what fits into a prompt. It must take any text, also a hostile one. */
export interface TokenCounter {
  /** How it counts, for example an encoding. */
  readonly id: string;
  /** How many tokens a text has. */
  /** The tokens of a text. */
  readonly count: (text: string) => Promise<number>;
}

/** What estimates are raised by, since no estimate fits every model. */
const margin = 1.12;

/** Estimates, a little on the safe side: within about 15 % for prose and code. Nothing is loaded before it counts. */
export const estimatedTokens: TokenCounter = {
  id: 'estimate',
  count: async (text) => {
    const { estimateTokenCount } = await import('tokenx');
    // A dictionary of tokens says nothing of base64 and the like.
    let runs = 0;
    const words = text.replace(/[\x21-\x7e]{80,}/g, (run) => {
      runs += run.length / 1.5;
      return ' ';
    });
    return Math.ceil(Math.max(estimateTokenCount(words) + runs, text.length / 100) * margin);
  },
};
