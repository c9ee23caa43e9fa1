import { ChecklistDimension, type DimensionQuestion } from './checklist-dimension.js';

/** Is the code well written: structure, naming, documentation, error handling? */
export class CodeQualityDimension extends ChecklistDimension {
  readonly id = 'code_quality';
  readonly name = 'Code Quality';
  override readonly shortName = 'Quality';

  protected questions(): readonly DimensionQuestion[] {
    return [
      {
        text: 'Structure: is the changed code well structured, with one responsibility for each part and no duplicated or dead code?',
      },
      { text: 'Naming: do names in the changed code tell what they stand for?' },
      {
        text: 'Documentation: is what others use documented, as far as its name does not tell everything?',
      },
      {
        text: 'Error handling: are failing calls and bad input (null, empty, out of range) handled in the changed code?',
      },
      {
        text: 'Are values that may be wrong on some machines or at some times (paths, time zones, encodings, races) treated with care?',
        thorough: true,
      },
      {
        text: 'Do the changed tests check behaviour, and would they fail if it broke?',
        thorough: true,
      },
    ];
  }
}
