import { RequirementExtractor } from '../../requirements/requirement-extractor.js';
import type { CompletedWork } from '../completed-work.js';
import { ChecklistDimension, type DimensionQuestion } from './checklist-dimension.js';

/** More requirements than these are asked about together. */
const mostRequirements = 40;

/** Is anything missing? Every requirement of the request is a question of its own, so that the answers trace each one. */
export class CompletenessDimension extends ChecklistDimension {
  readonly id = 'completeness';
  readonly name = 'Completeness';
  override readonly shortName = 'Complete';

  protected async questions(work: CompletedWork): Promise<readonly DimensionQuestion[]> {
    const requirements = await requirementsOf(work);
    const traced = requirements.slice(0, mostRequirements).map((text) => ({
      text: `Is this requirement addressed by the changes: ${JSON.stringify(text)}?`,
    }));
    const rest = requirements.slice(mostRequirements);
    return [
      {
        text: 'Are all requirements of the request addressed, with nothing left as a placeholder or for later?',
      },
      ...traced,
      ...(rest.length > 0
        ? [
            {
              text: `Are all of these requirements addressed by the changes: ${rest.map((text) => JSON.stringify(text)).join(', ')}?`,
            },
          ]
        : []),
      {
        text: 'Are the edge cases considered that the request implies (empty, missing, very large, repeated, simultaneous)?',
      },
      {
        text: 'Is everything there that the changes need to work: registration, configuration, migration, tests, documentation?',
        thorough: true,
      },
    ];
  }
}

async function requirementsOf({
  request,
  acceptanceCriteria = [],
}: CompletedWork): Promise<string[]> {
  const extracted = await new RequirementExtractor().extract(request);
  const texts = [...acceptanceCriteria, ...extracted.map(({ text }) => text)].map((text) =>
    text.trim(),
  );
  return [...new Set(texts)].filter((text) => text !== '' && text !== request.trim());
}
