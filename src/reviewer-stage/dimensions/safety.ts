import type { CompletedWork } from '../completed-work.js';
import type { DimensionIssue } from '../dimension.js';
import { ChecklistDimension, type DimensionQuestion } from './checklist-dimension.js';
import { safetyFindings } from './safety-findings.js';

/** Is anything of concern: secrets, data leaks, unsafe operations, new dependencies, permissions? Code looks first. */
export class SafetyDimension extends ChecklistDimension {
  readonly id = 'safety';
  readonly name = 'Safety';

  protected override findings(work: CompletedWork): readonly DimensionIssue[] {
    return safetyFindings(work);
  }

  protected questions(): readonly DimensionQuestion[] {
    return [
      {
        text: 'Security: are the changes free of injection, missing authorisation, weak cryptography and unvalidated input?',
      },
      {
        text: 'Data leaks: do the changes keep secrets and personal data out of code, logs, errors and responses?',
      },
      {
        text: 'Unsafe operations: are deletions, overwrites, commands and network calls in the changes bounded and intended?',
      },
      {
        text: 'Are new dependencies and wider permissions, if there are any, needed for the request?',
        thorough: true,
      },
    ];
  }
}
