import { ReviewLoopError } from '../../core/errors.js';
import { plural } from '../../core/plural.js';
import { dedupeRequirements } from './dedupe.js';
import { requirementErrors } from './errors.js';
import { gherkinRequirements, isGherkin, loadGherkin } from './gherkin.js';
import { loadMarkdown } from './markdown.js';
import { linesOf } from './plain-text.js';
import { documentRequirements } from './read-document.js';
import type { Requirement } from './requirement.js';

/** The most lines of a task. Each may take the rules a tenth of a millisecond. */
const mostLines = 10_000;

/** Reads feature files only once a text was given that may contain one. */
export async function textReader(first: string): Promise<(text: string) => Requirement[]> {
  const parse = await loadMarkdown();
  if (mayContainGherkin(first)) await loadGherkin();
  return (text) => {
    const lines = linesOf(text);
    if (lines.length > mostLines)
      throw new ReviewLoopError(
        requirementErrors.task_too_long,
        `the task has ${plural(lines.length, 'line')}; at most ${mostLines} are read`,
        { value: lines.length },
      );
    return dedupeRequirements(
      isGherkin(lines) ? gherkinRequirements({ lines }) : documentRequirements(parse(text)),
    );
  };
}

/** The first line could name a feature, or a fence steps. */
function mayContainGherkin(text: string): boolean {
  const first = linesOf(text).find((line) => line.trim() !== '' && !/^\s*[#@]/.test(line)) ?? '';
  return (
    /^\s*[\p{L}\p{M}][\p{L}\p{M}' ]{0,40}:/u.test(first) ||
    /^[ \t]*(?:`{3,}|~{3,})[ \t]*(?:gherkin|feature|cucumber)\b/im.test(text) ||
    (/^[ \t]*(?:`{3,}|~{3,})(?:[ \t]*te?xt)?[ \t]*$/im.test(text) && /^[ \t]*then\b/im.test(text))
  );
}
