import type { TokenCounter } from './token-counter.js';

/** With more characters than this, the cache is cleared. */
const mostCharacters = 2 ** 24;

/**
 * Returns a counter that caches the count of each text. A failed count is not cached. Create one
 * for each piece of work, because it stores the texts.
 */
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

/**
 * Returns the cached counter of an object, the same for every caller. The cache is freed with the
 * object.
 */
export function cachedCounterFor(subject: unknown, counter: TokenCounter): TokenCounter {
  if (typeof subject !== 'object' || subject === null) return cachedCounter(counter);
  const counters = bySubject.get(subject) ?? new WeakMap<TokenCounter, TokenCounter>();
  bySubject.set(subject, counters);
  const known = counters.get(counter) ?? cachedCounter(counter);
  counters.set(counter, known);
  return known;
}
