import { explicitRequirements } from '@/requirements/explicit-requirements.js';
import { RequirementExtractor } from '@/requirements/requirement-extractor.js';

/** Lines of a document, also several in one text or in a list. */
type Lines = readonly (string | readonly string[])[];

const documentOf = (lines: Lines): string => lines.flat().join('\n');

/** The requirements that are found, as their lines were written. */
export async function found(...lines: Lines): Promise<string[]> {
  const text = documentOf(lines);
  const written = text.split('\n');
  return (await explicitRequirements(text)).map(({ line }) => written[line - 1] ?? '');
}

/** The texts of the requirements that are found. */
export async function texts(...lines: Lines): Promise<string[]> {
  return (await explicitRequirements(documentOf(lines))).map(({ text }) => text);
}

/** The texts of the requirements that are extracted, without the whole task. */
export async function extracted(...lines: Lines): Promise<string[]> {
  const requirements = await new RequirementExtractor().extract(documentOf(lines));
  return requirements.filter(({ kind }) => kind !== 'whole').map(({ text }) => text);
}
