import { ChecklistDimension, type DimensionQuestion } from './checklist-dimension.js';

/** Does the result match the request? Mismatches are named, with what is missing or too much. */
export class IntentAlignmentDimension extends ChecklistDimension {
  readonly id = 'intent_alignment';
  readonly name = 'Intent Alignment';
  override readonly shortName = 'Intent';

  protected questions(): readonly DimensionQuestion[] {
    return [
      {
        text: 'Does the result do what the request asks for, as the one who asked would understand it?',
      },
      {
        text: 'Is the result free of changes that contradict the request, or that nobody asked for?',
      },
      {
        text: 'Do names, texts and behaviour that the request spells out stand in the result exactly so?',
        thorough: true,
      },
      {
        text: 'Were all steps of the plan carried out, or is it plain why one was not needed?',
        thorough: true,
      },
    ];
  }
}
