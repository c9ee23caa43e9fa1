import type { TokenCounter } from './token-counter.js';

/** With more characters than these, what is known is forgotten. */
const mostCharacters = 2 ** 24;

/** Counts each text once; what it knows goes with it, so it is made for one piece of work. A count that failed is tried again. */
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

/** Counts each text of something once, whoever asks about the same thing; what is known goes with it. */
export function cachedCounterFor(subject: unknown, counter: TokenCounter): TokenCounter {
  if (typeof subject !== 'object' || subject === null) return cachedCounter(counter);
  const counters = bySubject.get(subject) ?? new WeakMap<TokenCounter, TokenCounter>();
  bySubject.set(subject, counters);
  const known = counters.get(counter) ?? cachedCounter(counter);
  counters.set(counter, known);
  return known;
}
