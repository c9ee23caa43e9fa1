import { type Artifact, artifactsOf, membersBesideFiles } from '../../../core/artifact.js';
import { isRecord } from '../../../core/json.js';
import { truncate } from '../../../core/text/truncate.js';
import type { TokenCounter } from '../../../ports/token-counter.js';

/** One piece of material in a prompt. */
export interface PromptSection {
  readonly label: string;
  readonly text: string;
}

/**
 * The artifacts come first, by path, then the rest as JSON: every other member, also of artifacts,
 * because all of it is returned.
 */
export function sectionsOf(view: unknown): PromptSection[] {
  if (typeof view === 'string') return [{ label: 'output', text: view }];
  const artifacts = artifactsIn(view);
  if (artifacts === undefined)
    return [{ label: 'output', text: JSON.stringify(view, null, 2) ?? '' }];
  const sections = [...artifacts]
    .sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)))
    .map(({ path, content = '' }) => ({ label: `artifact ${path}`, text: content }));
  const rest = membersBesideFiles(view, artifacts);
  return Object.keys(rest).length > 0
    ? [...sections, { label: 'result', text: JSON.stringify(rest, null, 2) }]
    : sections;
}

function artifactsIn(view: unknown): readonly Artifact[] | undefined {
  if (Array.isArray(view)) {
    const artifacts = artifactsOf({ artifacts: view });
    return view.length > 0 && artifacts.length === view.length ? artifacts : undefined;
  }
  if (!isRecord(view)) return undefined;
  if (Array.isArray(view['artifacts'])) {
    const artifacts = artifactsOf(view);
    return artifacts.length === view['artifacts'].length ? artifacts : undefined;
  }
  const [artifact] = artifactsOf({ artifacts: [view] });
  return artifact === undefined ? undefined : [artifact];
}

/** Equal sections occur once. Different sections with the same label get a number. */
export function mergeSections(views: readonly (readonly PromptSection[])[]): {
  readonly sections: readonly PromptSection[];
  readonly labels: readonly (readonly string[])[];
} {
  const known = new Map<string, PromptSection>();
  const labels = views.map((view) =>
    view.map(({ label, text }) => {
      for (let number = 1; ; number += 1) {
        const name = number === 1 ? label : `${label} (${number})`;
        const there = known.get(name);
        if (there !== undefined && there.text !== text) continue;
        known.set(name, { label: name, text });
        return name;
      }
    }),
  );
  return { sections: [...known.values()], labels };
}

export interface FittedSections {
  readonly sections: readonly PromptSection[];
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

/** Shortens the longest first. */
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
