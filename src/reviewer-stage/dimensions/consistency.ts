import type { PromptSection } from '../../model/prompt/sections.js';
import type { CompletedWork } from '../completed-work.js';
import { ChecklistDimension, type DimensionQuestion } from './checklist-dimension.js';
import { sampleSections } from './work-sections.js';

/** Does it fit the code that was there: patterns, style, naming? It is shown samples of neighbouring code. */
export class ConsistencyDimension extends ChecklistDimension {
  readonly id = 'consistency';
  readonly name = 'Consistency';

  protected override context(work: CompletedWork): readonly PromptSection[] {
    return [...super.context(work), ...sampleSections(work)];
  }

  protected questions(work: CompletedWork): readonly DimensionQuestion[] {
    const compared =
      (work.samples ?? []).length > 0
        ? 'the samples of neighbouring code'
        : 'the rest of the changed files';
    return [
      { text: `Patterns: does the changed code solve its task in the way that ${compared} do?` },
      { text: `Style: do formatting and idiom of the changed code conform to ${compared}?` },
      {
        text: `Naming conventions: are files, types, functions and variables named as in ${compared}?`,
      },
      {
        text: 'Do the changes agree with each other, with no two ways for the same thing?',
        thorough: true,
      },
    ];
  }
}
