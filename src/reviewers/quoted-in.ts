import { taskText } from '../address/address-prompt.js';
import { artifactsOf } from '../core/artifact.js';
import type { Gap } from '../core/gap.js';
import { placeOfQuote } from '../text/quote.js';

/** The task and the output that a reviewer saw. */
export interface Shown {
  readonly task: unknown;
  readonly output: unknown;
}

/**
 * Returns whether the quote of a gap occurs in the output: in the file that the gap names, or
 * anywhere if the output has no such file. A quote of the task is not evidence. Undefined if the
 * gap has no quote.
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

/** Returns the content of an artifact of the output; undefined if no artifact has that path. */
export function artifactNamed(file: string, output: unknown): string | undefined {
  return artifactsOf(output).find(({ path }) => path === file)?.content;
}

/**
 * Returns every text of a value, and its JSON, without the task's text: judges see no more than
 * that.
 */
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
