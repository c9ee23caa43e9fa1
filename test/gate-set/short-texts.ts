import { bad, type GateTask, good } from './types.js';

/** Tasks about short texts, where counting and wording decide. */
export const shortTexts: readonly GateTask[] = [
  {
    id: 'faq',
    areas: ['quantity', 'scope', 'polarity'],
    task: `FAQ for the bike rental (faq.md)
- at least 5 questions
- every question is a heading and ends with a question mark
- never mention the price
- the answers must be correct for e-bikes too
`,
    requirements: [
      { text: 'at least 5 questions' },
      { text: 'every question is a heading and ends with a question mark' },
      { text: 'never mention the price' },
      { text: 'the answers must be correct for e-bikes too' },
    ],
    outputs: [
      // Only the rental company knows whether the answers are correct.
      bad('five', '+++?', {
        'faq.md': `# Questions and answers

## Where do I get the bike?

At the shop next to the station, from nine in the morning.

## Do I need to bring a lock?

No, each bike comes with one.

## Can children ride along?

Yes, we have seats for children up to 22 kilos.

## What if I have a flat tyre?

Call us. We come within the hour or change the bike.

## Can I return it somewhere else?

Yes, at any of our three shops.
`,
      }),
      bad('three', '---?', {
        'faq.md': `# FAQ

## Where do I get the bike?

At the shop next to the station.

## Lock

Each bike comes with one. Do you need another? The price for a second lock is 2 euros.

## Can I return it somewhere else?

Yes.
`,
      }),
    ],
  },
  {
    id: 'meeting-summary',
    areas: ['quantity', 'checkable', 'polarity', 'empty'],
    task: 'Summarise the meeting in summary.md: exactly five bullet points, less than 80 words overall, no names of people. The last line must be "Next meeting: 3 June".',
    requirements: [
      {
        text: 'Summarise the meeting in summary.md: exactly five bullet points, less than 80 words overall, no names of people.',
      },
      { text: 'The last line must be "Next meeting: 3 June".' },
    ],
    outputs: [
      // The form is right, but nobody can compare it with a meeting that is not given.
      bad('five', '?+', {
        'summary.md': `# Meeting of 20 May

- The roof will be repaired in July.
- The budget for the garden grows by a third.
- The old boiler stays for one more winter.
- Two flats still need new windows.
- The bicycle room gets a second key.

Next meeting: 3 June
`,
      }),
      bad('six-with-names', '--', {
        'summary.md': `# Meeting of 20 May

- The roof will be repaired in July, said Mrs Weber.
- The budget for the garden grows by a third.
- The old boiler stays for one more winter.
- Two flats still need new windows.
- The bicycle room gets a second key.
- Next meeting: 3 June, in the kitchen of Mr Ito
`,
      }),
    ],
  },
  {
    id: 'tagline',
    areas: ['quantity', 'meaning'],
    task: 'One sentence that describes our app for birdwatchers, max. 120 characters. It has to contain the word "birds". It should make people smile.',
    requirements: [
      { text: 'One sentence that describes our app for birdwatchers, max. 120 characters.' },
      { text: 'It has to contain the word "birds".' },
      { text: 'It should make people smile.', strength: 'should' },
    ],
    outputs: [
      // The open point is a wish.
      good('short', '++?', {
        'tagline.txt': 'Point your phone at the hedge and learn which birds are laughing at you.\n',
      }),
      bad('long', '--?', {
        'tagline.txt':
          'Our app is the best companion for everybody who likes to watch animals with feathers, because it knows all of their songs and all of their names.\n',
      }),
      // Two sentences, where one was asked for.
      bad('two-sentences', '-+?', { 'tagline.txt': 'Birds sing. We tell you who sings.\n' }),
    ],
  },
];
