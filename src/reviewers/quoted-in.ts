import { taskText } from '../address/address-prompt.js';
import { artifactsOf } from '../core/artifact.js';
import type { Gap } from '../core/gap.js';
import { placeOfQuote } from '../text/quote.js';

/** What a reviewer was shown. */
export interface Shown {
  readonly task: unknown;
  readonly output: unknown;
}

/**
 * Whether the quote of a gap occurs in what was judged: in the file that it names, where that is there, else anywhere. What only
 * the task says is no evidence. `undefined` where there is no quote.
 */
export function isQuoted(
  { evidence, location, affectedArtifact }: Gap,
  { task, output }: Shown,
): boolean | undefined {
  if (evidence === undefined || evidence.trim() === '') return undefined;
  const file = location?.file ?? affectedArtifact;
  const named = file === undefined ? undefined : artifactNamed(file, output);
  const texts = named === undefined ? textsIn(output, taskText(task ?? '').trim()) : [named];
  return texts.some((text) => placeOfQuote(evidence, text) !== undefined);
}

/** The content of an artifact of the output; `undefined` where it has none of that path. */
export function artifactNamed(file: string, output: unknown): string | undefined {
  return artifactsOf(output).find(({ path }) => path === file)?.content;
}

/** Every text of a value, and its JSON where it is none: that is what judges are shown. The task's text inside is left out. */
function textsIn(value: unknown, task: string): string[] {
  if (typeof value === 'string') return [value];
  const texts: string[] = [];
  const shown = JSON.stringify(
    value,
    (name, member: unknown) => {
      if (name === 'task' && member === task) return undefined;
      if (typeof member === 'string') texts.push(member);
      return member;
    },
    2,
  );
  return [...texts, shown ?? ''];
}
