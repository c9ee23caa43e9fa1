import { describe, expect, it } from 'vitest';
import { stopwatch, unit } from '../support/growth.js';
import { type Attack, attacksOn } from '../support/regex-attacks.js';
import { type FoundRegex, regexesBuiltIn, regexesIn } from '../support/regexes-in-source.js';

const lengths = [24, 28, 200, 2000, 24_000];
/** Below this cost a length is not measured again. */
const noise = unit / 4;

/** Milliseconds of the processor that all matches in a text take, at best of some tries. */
function cost(pattern: RegExp, text: string, tries: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const taken = stopwatch();
    for (const _ of text.matchAll(pattern));
    best = Math.min(best, taken());
  }
  return best;
}

/** Returns whether four times the text costs much more than four times as much: 4 is linear, 16 is quadratic. */
function isSlow(pattern: RegExp, attack: Attack): boolean {
  const every = new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, '')}g`);
  for (const length of lengths) {
    if (cost(every, attack(length), 1) < noise) continue;
    const less = cost(every, attack(length), 3);
    // a text of a quarter that costs as much has not grown
    const quarter = cost(every, attack(Math.ceil(length / 4)), 3);
    return less > noise && less / Math.max(quarter, 0.5) > 9;
  }
  return false;
}

const slowOf = (pattern: RegExp): string | undefined => {
  const attack = attacksOn(pattern).find((one) => isSlow(pattern, one));
  return attack && JSON.stringify(attack(12));
};

describe('regular expressions', () => {
  const found = regexesIn('src');

  it('are found in the source', () => {
    expect(found.length).toBeGreaterThan(900);
  });

  const slowIn = (all: readonly FoundRegex[]): string[] =>
    all.flatMap(({ place, pattern }) => {
      const text = slowOf(pattern);
      return text === undefined ? [] : [`${place} ${pattern} is slow over ${text}...`];
    });

  it('are linear or bounded over texts that try to slow them down [R2-050]', () => {
    expect(slowIn(found)).toEqual([]);
  });

  it('are so too if a module builds them [R2-050]', async () => {
    const built = (await regexesBuiltIn('src')).filter(({ pattern }) => !pattern.sticky);
    expect(built.length).toBeGreaterThan(20);
    expect(slowIn(built)).toEqual([]);
  });

  it.each([
    /REVIEW_PASSED[ \t]*(?::[ \t]*([^\n]*?))?[ \t]*$/,
    /\S+@\S+$/,
    /<!--[\s\S]*?-->/,
    /^(?:a+)+$/,
    /\s*,\s*/,
  ])('are seen to be slow: %s', (pattern) => {
    expect(slowOf(pattern)).toBeDefined();
  });
});
