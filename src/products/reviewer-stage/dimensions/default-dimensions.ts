import type { PromptSection } from '../../../blocks/models/prompt/sections.js';
import { RequirementExtractor } from '../../../blocks/requirements/requirement-extractor.js';
import { wholeKind } from '../../../blocks/requirements/task-text.js';
import type { CompletedWork } from '../completed-work.js';
import type { Dimension, DimensionIssue } from '../dimension.js';
import {
  ChecklistDimension,
  type DimensionQuestion,
  type DimensionSettings,
} from './checklist-dimension.js';
import { allowedSections, sampleSections } from './work-sections.js';

/** Returns the five dimensions of the reviewer stage, all with the same settings. */
export function defaultDimensions(settings: DimensionSettings = {}): readonly Dimension[] {
  return [
    IntentAlignmentDimension,
    CodeQualityDimension,
    CompletenessDimension,
    ConsistencyDimension,
    SafetyDimension,
  ].map((DefaultDimension) => new DefaultDimension(settings));
}

/** Asks whether the result matches the request. Its issues name missing and superfluous parts. */
export class IntentAlignmentDimension extends ChecklistDimension {
  readonly id = 'intent_alignment';
  readonly name = 'Intent Alignment';
  override readonly shortName = 'Intent';

  protected questions(): readonly DimensionQuestion[] {
    return asked(
      [
        'Does the result do what the request asks for, as the one who asked would understand it?',
        'Is the result free of changes that contradict the request, or that nobody asked for?',
      ],
      [
        'Do names, texts and behaviour that the request spells out stand in the result exactly so?',
        'Were all steps of the plan carried out, or is it plain why one was not needed?',
      ],
    );
  }
}

/** Asks about structure, naming, documentation and error handling of the changed code. */
export class CodeQualityDimension extends ChecklistDimension {
  readonly id = 'code_quality';
  readonly name = 'Code Quality';
  override readonly shortName = 'Quality';

  protected questions(): readonly DimensionQuestion[] {
    return asked(
      [
        'Structure: is the changed code well structured, with one responsibility for ' +
          'each part and no duplicated or dead code?',
        'Naming: do names in the changed code tell what they stand for?',
        'Documentation: is what others use documented, as far as its name does not tell everything?',
        'Error handling: are failing calls and bad input (null, empty, out of range) ' +
          'handled in the changed code?',
      ],
      [
        'Are values that may be wrong on some machines or at some times (paths, time ' +
          'zones, encodings, races) treated with care?',
        'Do the changed tests check behaviour, and would they fail if it broke?',
      ],
    );
  }
}

const mostRequirements = 40;

/** Asks whether anything is missing, with one question for each requirement of the request. */
export class CompletenessDimension extends ChecklistDimension {
  readonly id = 'completeness';
  readonly name = 'Completeness';
  override readonly shortName = 'Complete';

  protected async questions(work: CompletedWork): Promise<readonly DimensionQuestion[]> {
    const requirements = await requirementsOf(work);
    const quoted = requirements.map((text) => JSON.stringify(text));
    const rest = quoted.slice(mostRequirements);
    return asked(
      [
        'Are all requirements of the request addressed, with nothing left as a placeholder or for later?',
        ...quoted
          .slice(0, mostRequirements)
          .map((text) => `Is this requirement addressed by the changes: ${text}?`),
        ...(rest.length > 0
          ? [`Are all of these requirements addressed by the changes: ${rest.join(', ')}?`]
          : []),
        'Are the edge cases considered that the request implies (empty, missing, very ' +
          'large, repeated, simultaneous)?',
      ],
      [
        'Is everything there that the changes need to work: registration, configuration, ' +
          'migration, tests, documentation?',
      ],
    );
  }
}

async function requirementsOf({
  request,
  acceptanceCriteria = [],
}: CompletedWork): Promise<string[]> {
  const extracted = await new RequirementExtractor().extract(request);
  const stated = extracted.filter(({ kind }) => kind !== wholeKind);
  const texts = [...acceptanceCriteria, ...stated.map(({ text }) => text)].map((text) =>
    text.trim(),
  );
  return [...new Set(texts)].filter((text) => text !== '' && text !== request.trim());
}

/** Asks whether patterns, style and names fit the neighbouring code, which the prompt contains. */
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
    return asked(
      [
        `Patterns: does the changed code solve its task in the way that ${compared} do?`,
        `Style: do formatting and idiom of the changed code conform to ${compared}?`,
        `Naming conventions: are files, types, functions and variables named as in ${compared}?`,
      ],
      ['Do the changes agree with each other, with no two ways for the same thing?'],
    );
  }
}

/**
 * Looks for secrets, data leaks, unsafe operations, new dependencies and wider permissions. Code
 * searches first, then a model answers the questions.
 */
export class SafetyDimension extends ChecklistDimension {
  readonly id = 'safety';
  readonly name = 'Safety';

  protected override context(work: CompletedWork): readonly PromptSection[] {
    return [...super.context(work), ...allowedSections(work)];
  }

  protected override async findings(work: CompletedWork): Promise<readonly DimensionIssue[]> {
    const { safetyFindings } = await import('./safety-findings.js');
    return safetyFindings(work);
  }

  protected questions(): readonly DimensionQuestion[] {
    return asked(
      [
        'Security: are the changes free of injection, missing authorisation, weak ' +
          'cryptography and unvalidated input?',
        'Data leaks: do the changes keep secrets and personal data out of code, logs, errors and responses?',
        'Unsafe operations: are deletions, overwrites, commands and network calls in the ' +
          'changes bounded and intended?',
      ],
      ['Are new dependencies and wider permissions, if there are any, needed for the request?'],
    );
  }
}

/** @param thorough - The questions that a quick review skips. */
function asked(always: readonly string[], thorough: readonly string[]): DimensionQuestion[] {
  return [
    ...always.map((text) => ({ text })),
    ...thorough.map((text) => ({ text, thorough: true })),
  ];
}
