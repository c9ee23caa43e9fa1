import type { TokenCounter } from '../../ports/token-counter.js';
import { truncate } from '../../text/truncate.js';
import type { PromptSection } from './sections.js';

export interface FittedSections {
  readonly sections: readonly PromptSection[];
  /** The tokens of all sections. */
  readonly tokens: number;
  /** The characters that were cut from each section; empty if nothing was cut. */
  readonly cuts: readonly {
    readonly label: string;
    readonly omitted: number;
    readonly length: number;
  }[];
}

/** How often the sections are cut again if they have more tokens than expected. */
const mostTries = 6;

/** Shortens the longest sections until all sections together fit into `most` tokens. */
export async function fitSections(
  sections: readonly PromptSection[],
  most: number,
  tokens: TokenCounter,
): Promise<FittedSections> {
  const counts = await Promise.all(sections.map(({ text }) => tokens.count(text)));
  const whole = sum(counts);
  if (whole <= most) return { sections, tokens: whole, cuts: [] };
  let share = shareOf(counts, most);
  for (let tries = 0; ; tries += 1) {
    const fitted = sections.map(({ label, text }, index) => {
      const count = counts[index] ?? 0;
      const kept = count <= share ? text.length : Math.floor((text.length * share) / count);
      return { label, ...truncate(text, kept), length: text.length };
    });
    const total = sum(await Promise.all(fitted.map(({ text }) => tokens.count(text))));
    if (total <= most || tries >= mostTries) {
      return {
        sections: fitted.map(({ label, text }) => ({ label, text })),
        tokens: total,
        cuts: fitted
          .filter(({ omitted }) => omitted > 0)
          .map(({ label, omitted, length }) => ({ label, omitted, length })),
      };
    }
    share = Math.floor(share * Math.min(0.9, most / total));
  }
}

/** Returns the most tokens of one section, so that short sections stay whole. */
function shareOf(counts: readonly number[], most: number): number {
  let left = most;
  const sorted = [...counts].sort((a, b) => a - b);
  for (const [index, count] of sorted.entries()) {
    const share = left / (sorted.length - index);
    if (count > share) return Math.max(0, Math.floor(share));
    left -= count;
  }
  return most;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
