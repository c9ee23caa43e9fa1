/**
 * Counts the tokens of texts, for budgets and prompts. It must accept any text, also a hostile one.
 */
export interface TokenCounter {
  /** How it counts, for example an encoding. */
  readonly id: string;
  /** Returns the number of tokens of a text. */
  readonly count: (text: string) => Promise<number>;
}

/** The factor that raises estimates, because no estimate fits every model. */
const margin = 1.12;

/**
 * Estimates tokens, slightly too high: within about 15 % for prose and code. The estimator is
 * loaded on first use.
 */
export const estimatedTokens: TokenCounter = {
  id: 'estimate',
  count: async (text) => {
    const { estimateTokenCount } = await import('tokenx');
    // the estimator does not know base64 and similar runs, and ends at megabytes of spaces
    let runs = 0;
    const words = text.replace(/\s{80,4000}/g, ' ').replace(/[\x21-\x7e]{80,4000}/g, (run) => {
      runs += run.length / 1.5;
      return ' ';
    });
    return Math.ceil(Math.max(estimateTokenCount(words) + runs, text.length / 100) * margin);
  },
};

const mostCharacters = 2 ** 24;

/** A failed count is not cached. Create one for each piece of work, because it stores the texts. */
export function cachedCounter(counter: TokenCounter): TokenCounter {
  const known = new Map<string, Promise<number>>();
  let characters = 0;
  return {
    id: counter.id,
    count: (text) => {
      const before = known.get(text);
      if (before !== undefined) return before;
      characters += text.length;
      if (characters > mostCharacters) {
        known.clear();
        characters = text.length;
      }
      const counted = Promise.resolve(counter.count(text));
      known.set(text, counted);
      counted.catch(() => known.delete(text));
      return counted;
    },
  };
}

const bySubject = new WeakMap<object, WeakMap<TokenCounter, TokenCounter>>();

/** The same counter for every caller. The cache is freed with the object. */
export function cachedCounterFor(subject: unknown, counter: TokenCounter): TokenCounter {
  if (typeof subject !== 'object' || subject === null) return cachedCounter(counter);
  const counters = bySubject.get(subject) ?? new WeakMap<TokenCounter, TokenCounter>();
  bySubject.set(subject, counters);
  const known = counters.get(counter) ?? cachedCounter(counter);
  counters.set(counter, known);
  return known;
}
