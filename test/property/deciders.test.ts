import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Artifacts } from '@/core/artifact.js';
import { decide, filesOf, pageWith, verdict } from '../unit/blocks/criteria/deciders/decide.js';

const body = fc
  .array(
    fc.constantFrom(
      '<h1>Tea</h1>',
      '<h2>Opening hours</h2>',
      '<p>Opening hours</p>',
      '<p hidden>Opening hours</p>',
      '<table><tr><td>1</table>',
      '<img src=a.png alt="Tea">',
      '<img src=b.png>',
      '<form><label>Name <input></label><button>Send</button></form>',
      '<form><input></form>',
      '<nav><a href="/">Home</a></nav>',
      '<footer><a href="/x"></a></footer>',
      '<!-- <table> -->',
      '<p style="color:red">Green</p>',
      '<script>let a = 1</script>',
      '<div class="hidden"><h1>A</h1></div>',
      '<ul><li>one<li>two</ul>',
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join('\n'));

const positive = fc.constantFrom(
  'a table',
  'an image',
  'a form',
  'a submit button',
  'an h1',
  'a nav',
  'a footer',
  'a list',
  'a heading "Opening hours"',
  'the text "Opening hours"',
);

const requirement = fc.oneof(
  positive.map((thing) => `The page must have ${thing}`),
  positive.map((thing) => `Every page must have ${thing}`),
  fc.constantFrom(
    'All images must have alt text',
    'All links must have discernible text',
    'Every form field must have a label',
    'The page must have exactly one h1',
    'No inline styles',
    'No inline scripts',
    'The page title must be "Tea"',
    'No placeholder text',
    'No secrets',
  ),
);

describe('decisions about requirements', () => {
  it('"not" never leaves a decision as it was', async () => {
    await fc.assert(
      fc.asyncProperty(positive, body, async (thing, content) => {
        const output = filesOf({ 'index.html': pageWith(content) });
        const [yes, no] = [
          await verdict(`The page must have ${thing}`, output),
          await verdict(`The page must not have ${thing}`, output),
        ];
        if (yes !== 'undecided' && no !== 'undecided') expect(yes).not.toBe(no);
        // what is certainly there is certainly against a prohibition
        if (yes === 'satisfied') expect(no).toBe('violated');
        if (no === 'satisfied') expect(yes).toBe('violated');
      }),
      { numRuns: 150 },
    );
  });

  it('do not depend on the order of files, nor on files of another kind', async () => {
    await fc.assert(
      fc.asyncProperty(
        requirement,
        fc.array(body, { minLength: 1, maxLength: 3 }),
        async (text, pages) => {
          const output = filesOf(
            Object.fromEntries(pages.map((one, index) => [`${index}.html`, pageWith(one)])),
          );
          const reversed: Artifacts = { artifacts: output.artifacts.toReversed() };
          const more: Artifacts = {
            artifacts: [
              { type: 'file', path: 'data.csv', content: 'a,b\n' },
              ...output.artifacts,
              { type: 'image', path: 'a.png' },
            ],
          };
          const expected = await verdict(text, output);
          expect(await verdict(text, reversed)).toBe(expected);
          expect(await verdict(text, more)).toBe(expected);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('show places that occur in the files', async () => {
    await fc.assert(
      fc.asyncProperty(requirement, body, async (text, content) => {
        const source = pageWith(content);
        const decision = await decide(text, filesOf({ 'index.html': source }));
        for (const { line, quote } of decision?.evidence ?? [])
          expect(source.split('\n')[line - 1]).toContain(quote);
      }),
      { numRuns: 150 },
    );
  });
});
