import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';

const read = async (text: string): Promise<string[]> =>
  (await explicitRequirements(text)).map((requirement) => requirement.text);

const stated = ['The screen must show a list', 'The screen must be blue'];

describe('headings that may be the name of a part', () => {
  it.each([
    'Results',
    'Review history',
    'Today',
    'Benefits',
    'Alternatives',
    'Limitations',
    'Distribution',
    'Analysis',
    'Approval',
    'Setup',
    'Rollout',
    'Future bookings',
  ])('"%s" hides no item that binds the result [R2-031]', async (heading) => {
    const items = stated.map((text) => `- ${text}`).join('\n');
    expect(await read(`# App\n\n## ${heading}\n\n${items}`)).toEqual(stated);
  });

  it('what others must do, and what somebody says, is still background', async () => {
    const text = '## References\n\n- RFC 1071, which checksums must follow\n- Nobody must call';
    expect(await read(text)).toEqual([]);
  });

  it('in text that explains, only the word in capitals counts', async () => {
    const text = '## Risks\n\n- The key must not get lost\n- The key MUST be encrypted';
    expect(await read(text)).toEqual(['The key MUST be encrypted']);
  });

  it('excluded text never counts, whatever it says', async () => {
    const text = '## Alternatives considered\n\n- The screen MUST be red\n\n# Out of scope';
    expect(await read(text)).toEqual([]);
  });
});

describe('sentences that look like headings', () => {
  it.each(['Images must have alt text', 'Forms must have labels', 'All pages should have rules'])(
    '"%s" is a requirement, and not a heading "must have" [R2-032]',
    async (text) => {
      expect(await read(text)).toEqual([text]);
      expect(await read(`${text}\n\nIt was a long day.`)).toEqual([text]);
    },
  );

  it('a heading that binds the result asks if nothing below it does', async () => {
    expect(await read('# Images must have alt texts\n\nWhy? Because.\n\n# Other')).toEqual([
      'Images must have alt texts',
    ]);
    expect(await read('# The page must be fast\n\nIt must load within 2 s.')).toEqual([
      'It must load within 2 s.',
    ]);
  });
});

describe('short imperatives', () => {
  it.each([
    'Make the button blue',
    'Add a button',
    'Write tests',
    'Use tabs',
    'Make the parser reject tabs.',
    'Center the title.',
    'Please turn off the animation',
    'Can you make the header sticky?',
    'In the footer, show the address.',
    'No cookies, no tracking.',
    'At most 200 words.',
    'I want the button to be green.',
    'You may not use libraries.',
    'Returns the list of orders.',
  ])('"%s" asks [R2-034]', async (text) => {
    expect(await read(text)).toEqual([text]);
    expect(await read(`Good morning! ${text}`)).toEqual([text]);
  });

  it.each([
    'Use of tabs is rare.',
    'No idea what happened.',
    'Let me know when you are done!',
    'I like the structure.',
    'No error is shown in the log.',
  ])('"%s" does not', async (text) => {
    expect(await read(text)).toEqual([]);
  });

  it.each(['Write an article about tea.', 'Build the home page', 'We need a shop for flowers.'])(
    '"%s" only names the work',
    async (text) => {
      expect(await read(text)).toEqual([]);
      expect(await read(`**Deadline**: 3 June\n\n${text}`)).toEqual([]);
    },
  );
});

describe('sections that describe', () => {
  it('a command in a summary counts as it does in a proposal [R2-038]', async () => {
    for (const heading of ['Summary', 'Overview', 'Proposal'])
      expect(await read(`# Parser\n\n## ${heading}\n\nReject tabs in the parser.`)).toEqual([
        'Reject tabs in the parser.',
      ]);
  });

  it('not if the document names a section for its requirements', async () => {
    const text = '## Summary\n\nReject tabs.\n\n## Requirements\n\n- Tabs are an error';
    expect(await read(text)).toEqual(['Tabs are an error']);
  });

  it('a list of one topic hides no list of another', async () => {
    const text = '# Page\n\n## Layout\n\n- Two columns\n\n## Accessibility\n\n- Names for buttons';
    expect(await read(text)).toEqual(['Two columns', 'Names for buttons']);
  });

  it('commands and statements about all things of a kind ask in any section', async () => {
    const text = '# App\n\n## Requirements\n\n- It is fast\n\n## Words\n\nUse tabs.';
    expect(await read(text)).toEqual(['It is fast', 'Use tabs.']);
    expect(await read('## Design\n\nEvery action writes an entry. Every day was long.')).toEqual([
      'Every action writes an entry.',
    ]);
  });

  it('a section for requirements may describe the result, unless the text says MUST in capitals', async () => {
    const text = '## Behaviour\n\nIt closes on Escape. We talked about it. This section is short.';
    expect(await read(text)).toEqual(['It closes on Escape.']);
    const formal = ['It MUST be fast.', 'It MUST be red.', 'It SHALL be round.'];
    expect(await read(`${text}\n\n${formal.join('\n\n')}`)).toEqual(formal);
  });
});

describe('the line above a list', () => {
  const line = 'The app must handle these formats:';

  it('stands for itself if nothing below it asks [R2-039]', async () => {
    expect(await read(`${line}\n\n- [CSV](a)\n- [JSON](b)`)).toEqual([line]);
    expect(await read(`${line}\n-\n`)).toEqual([line]);
    expect(await read(`${line}\n\n\`\`\`json\n{}\n\`\`\``)).toEqual([line]);
    expect(await read(`- Forms must have:\n  - [labels](a)`)).toEqual(['Forms must have:']);
  });

  it('gives its strength to the items, also if its last word could name a section [R2-039]', async () => {
    expect(await explicitRequirements(`${line}\n- CSV\n- JSON`)).toMatchObject([
      { text: 'CSV', strength: 'MUST' },
      { text: 'JSON', strength: 'MUST' },
    ]);
  });
});

describe('what only looks like a requirement [R2-040]', () => {
  it.each([
    '**name**: *string*',
    '- `age`: number, optional',
    '- **tags** (string[])',
    '- [Thread about tabs](https://example.org/1) by Mia',
    '- See #12',
    '- Discussed in [the forum](https://example.org/2)',
    '- Should the list be blue?',
  ])('%s [R2-040]', async (text) => {
    for (const heading of ['Fields', 'Requirements', 'Discussion'])
      expect(await read(`## ${heading}\n\n${text}`), heading).toEqual([]);
  });
});
