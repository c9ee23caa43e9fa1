import { beforeAll, describe, expect, it } from 'vitest';
import { explicitRequirementsNow, loadReader } from '@/requirements/explicit-requirements.js';
import { requirementsOfTask } from '@/requirements/rest-of-task.js';
import { sectionWords } from '@/requirements/section-words.js';
import { type SectionKind, sectionKind } from '@/requirements/sections.js';

const capitals = [
  'The screen MUST show the total',
  'Each order SHALL have a number',
  'The password MUST NOT be stored',
  'A second factor is REQUIRED for every admin',
];
const plain = [
  'The basket must show its weight',
  'Each parcel shall have a label',
  'The token must not be logged',
  'A signature is required for every refund',
];
const weaker = [
  'The chart should show the median',
  'The invoice has to have a date',
  'The list needs to be sorted',
];
const commands = [
  'Show the total on the screen',
  'Never store the password',
  'Add a second factor',
];

const openHeadings = [
  'Results',
  'Review history',
  'Today',
  'Distribution',
  'Checkout',
  'Step 2: payment',
  'Users',
  'Team page',
  'Market',
  'Feedback',
];

type Form = (sentence: string) => string;
const forms: readonly Form[] = [
  (sentence) => sentence,
  (sentence) => `${sentence}.`,
  (sentence) => `- ${sentence}`,
  (sentence) => `- ${sentence}.`,
  (sentence) => `1. **${sentence}**`,
  (sentence) => `It was a long day. ${sentence}.`,
];

/** The sentences that must be read below a heading of a kind. */
function expectedBelow(kind: SectionKind): readonly string[] {
  if (kind === 'excluded') return [];
  if (kind === 'background') return capitals;
  if (kind === 'unclear') return [...capitals, ...plain];
  const stated = [...capitals, ...plain, ...weaker];
  return kind === 'description' ? stated : [...stated, ...commands];
}

/** Returns the sentences that are lost if each stands in its own section with this heading. */
function lostIn(heading: string, sentences: readonly string[], form: Form): string[] {
  const sections = sentences.map((sentence) => `## ${heading}\n\n${form(sentence)}\n`);
  const found = explicitRequirementsNow(`# App\n\n${sections.join('\n')}`);
  const texts = found.map(({ text }) => text.replaceAll('*', ''));
  return sentences.filter((sentence) => !texts.some((text) => text.includes(sentence)));
}

/** Returns the cases in which a sentence is lost below a heading. */
function lostBelow(heading: string): string[] {
  const sentences = expectedBelow(sectionKind(heading));
  // a title must bind by "must" or "shall": "## The list needs to be sorted" may name a part
  const titles = sentences.filter((sentence) => /\b(?:must|shall)\b/i.test(sentence));
  return [
    ...forms.flatMap((form) => lostIn(heading, sentences, form)),
    ...lostIn(heading, titles, (sentence) => `### ${sentence}`),
  ].map((sentence) => `${heading}: ${sentence}`);
}

beforeAll(() => loadReader('Feature: any'));

describe('obligations below every heading', () => {
  it('are read in each form, unless the heading says that they are out of scope [R2-031, R2-032, R2-034, R2-038]', () => {
    expect(sectionWords().flatMap(({ word }) => lostBelow(word))).toEqual([]);
  });

  it('are read below headings that only name a part [R2-031]', () => {
    for (const heading of openHeadings) {
      expect(['open', 'unclear', 'description']).toContain(sectionKind(heading));
      expect(lostBelow(heading)).toEqual([]);
    }
  });

  it('are judged with the task as a whole where they are not read', async () => {
    for (const { word, kind } of sectionWords()) {
      if (kind === 'excluded') continue;
      const task = `# App\n\n## ${word}\n\nThe screen must show the total.\n`;
      expect(await requirementsOfTask(task), word).not.toEqual([]);
    }
  });

  it('a heading alone is a requirement if it binds, and names a part if not [R2-032]', () => {
    const read = (heading: string): string[] =>
      explicitRequirementsNow(`# Notes\n\n## ${heading}\n`).map(({ text }) => text);
    for (const sentence of plain.slice(0, 3)) expect(read(sentence)).toEqual([sentence]);
    expect(read('Must have')).toEqual([]);
  });
});
