import { describe, expect, it } from 'vitest';
import { definePipeline } from '@/blocks/pipeline/define-pipeline.js';
import { explicitRequirements } from '@/blocks/requirements/explicit-requirements.js';
import { modelRequirements } from '@/blocks/requirements/model-requirements.js';
import { isProhibition, statedStrength } from '@/blocks/requirements/strength.js';
import { requirementCoverage } from '@/blocks/reviewers/requirement-coverage.js';
import { scriptedProvider } from '@/testing/index.js';

/** What permits, and what obliges. */
const permits = ['may', 'can', 'could', 'might', 'MAY', 'is allowed to', 'is able to', 'is to'];
const obliges = ['must', 'shall', 'has to'];

/** Sentences that forbid or bound, by the place of the word. `{}` is the modal. */
const subjects = [
  'Nothing {} be printed before the clerk confirms.',
  'Nobody {} open the ledger.',
  'No one {} open the ledger.',
  'No clerk {} open the ledger.',
  'None of the clerks {} open the ledger.',
  'Neither the clerk nor the guest {} open the ledger.',
  'Only the clerk {} open the ledger.',
  'The clerk alone {} open the ledger.',
  'At most two clerks {} open the ledger.',
  'Up to two clerks {} open the ledger.',
  'Not more than two clerks {} open the ledger.',
  'No more than two clerks {} open the ledger.',
  'Fewer than two clerks {} open the ledger.',
  'Few clerks {} open the ledger.',
  'Anyone but guests {} open the ledger.',
  'Except on Sundays, the clerk {} open the ledger.',
  'Unless it is locked, the clerk {} open the ledger.',
  'Without a key the clerk {} open the ledger.',
];
const behind = [
  'The clerk {} not open the ledger.',
  'The clerk {} never open the ledger.',
  'The clerk {} only open the ledger.',
  'The clerk {} open neither the ledger nor the safe.',
  'The clerk {} open no ledger.',
  'The clerk {} open at most two ledgers.',
  'The clerk {} open **at least** two ledgers.',
  'The clerk {} open up to two ledgers.',
  'The clerk {} open the ledger no more than twice.',
  'The clerk {} open the ledger unless it is locked.',
  'The clerk {} open the ledger, except on Sundays.',
  'The clerk {} open the ledger, but not without a key.',
  'The clerk {} open the ledger; guests never do.',
  'The clerk {} hardly open the ledger.',
  'The clerk {} open fewer than two ledgers.',
  'The clerk {} open ≤ 2 ledgers.',
];
const german = ['darf', 'kann', 'könnte', 'dürfte'].flatMap((modal) =>
  [
    'Nichts {} gedruckt werden, bevor der Kassier bestätigt.',
    'Niemand {} das Buch öffnen.',
    'Kein Gast {} das Buch öffnen.',
    'Weder der Gast noch der Kassier {} das Buch öffnen.',
    'Nur der Kassier {} das Buch öffnen.',
    'Höchstens ein Gast {} das Buch öffnen.',
    'Ohne Schlüssel {} der Kassier das Buch öffnen.',
    'Der Kassier {} das Buch nicht öffnen.',
    'Der Kassier {} keine Bücher öffnen.',
    'Der Kassier {} das Buch nie öffnen.',
    'Der Kassier {} maximal zwei Bücher öffnen.',
    'Der Kassier {} bis zu zwei Bücher öffnen.',
    'Der Kassier {} nicht mehr als zwei Bücher öffnen.',
    'Der Kassier {} das Buch öffnen, außer sonntags.',
    'Der Kassier {} das Buch öffnen, es sei denn, es ist gesperrt.',
  ].map((sentence) => sentence.replace('{}', modal)),
);
const bounded = [
  ...[...permits, ...obliges].flatMap((modal) =>
    [...subjects, ...behind].map((sentence) => sentence.replace('{}', modal)),
  ),
  ...german,
  "The clerk can't open the ledger.",
  'The clerk couldn’t open the ledger.',
];

const optional = [
  'The page may show a map.',
  'The clerk may open the ledger if it is there.',
  'Users can optionally note the weather.',
  'A dark mode could be added.',
  'A dark mode may be added, but is not required.',
  'The clerk may open the ledger, whether or not it is full.',
  'The button may read "Nothing to save".',
  'The header MAY be blue.',
  'A map would be nice to have.',
];

describe('the strength of a whole sentence', () => {
  it('what bounds or forbids is never optional, in any place [R3-001]', () => {
    expect(bounded.filter((sentence) => statedStrength(sentence) !== 'MUST')).toEqual([]);
    expect(bounded.length).toBeGreaterThan(400);
  });

  it('what should not be is no permission [R3-001]', () => {
    for (const sentence of [...subjects, ...behind])
      expect(statedStrength(sentence.replace('{}', 'should'))).toBe('SHOULD');
    expect(statedStrength('The list should not move, but may fade.')).toBe('SHOULD');
    expect(statedStrength('Optional: a map that never moves.')).toBe('SHOULD');
  });

  it.each(optional)('stays optional: %s [R3-001]', (sentence) => {
    expect(statedStrength(sentence)).toBe('MAY');
  });

  it('is that of an item and the line above it [R3-001]', async () => {
    const found = await explicitRequirements(
      'The page may contain:\n\n- a map\n- at most three pictures\n\nNothing may contain:\n\n- a map\n',
    );
    expect(found.map(({ text, strength }) => [text, strength])).toEqual([
      ['a map', 'MAY'],
      ['at most three pictures', 'MUST'],
      ['Nothing may contain: a map', 'MUST'],
    ]);
    for (const line of ['None of these may be stored:', 'Es dürfen keine Seiten enthalten:'])
      expect(isProhibition(line)).toBe(true);
    expect(isProhibition('If there is no name, the page must show:')).toBe(false);
  });

  it('of a prohibition is not what a model says [R3-001]', async () => {
    const text = 'No price without its tax.\nA map, perhaps.';
    const provider = scriptedProvider(({ messages }) =>
      JSON.stringify({
        token: /The token is (\w+)\./.exec(messages.map(({ content }) => content).join('\n'))?.[1],
        requirements: text.split('\n').map((quote) => ({ quote, strength: 'MAY' })),
      }),
    );
    const found = await modelRequirements({ provider })(text);
    expect(found.map(({ strength }) => strength)).toEqual(['MUST', 'MAY']);
  });

  it.each<[string, string]>([
    ['No price may be shown before the tax is known.', 'inconclusive'],
    ['No price should be shown before the tax is known.', 'inconclusive'],
    ['The price may be blue.', 'approved'],
    ['The price should be blue.', 'approved'],
  ])('decides whether an undecided requirement holds a run: %s [R3-001]', async (text, status) => {
    for (const extractRequirements of [
      async () => [text],
      {
        makesSteps: false,
        extract: async () => explicitRequirements(`- ${text}\n`),
      },
    ]) {
      const reviewer = requirementCoverage<string, string>({
        extractRequirements,
        checkRequirementCovered: async (requirement) => ({
          requirement,
          source: 'explicit',
          covered: false,
          state: 'unsure',
          coverageDetails: 'nobody looked',
          confidence: 0,
        }),
      });
      const pipeline = definePipeline<string, string>({
        produce: () => 'x',
        reviewers: [reviewer],
        criteria: { any: () => true },
      });
      expect((await pipeline.run('t')).status).toBe(status);
    }
  });
});
