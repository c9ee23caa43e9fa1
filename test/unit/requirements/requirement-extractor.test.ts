import { describe, expect, it } from 'vitest';
import { RequirementExtractor } from '@/requirements/requirement-extractor.js';
import { agentRequest } from '@/self-review/agent.js';

const extractor = new RequirementExtractor();

describe('RequirementExtractor', () => {
  it('reads a text, and a request with its acceptance criteria [SR-140]', async () => {
    expect(await extractor.extract('- Log in\n- Log out')).toHaveLength(2);
    const found = await extractor.extract(
      agentRequest({
        description: 'The page must load.\n- Log in',
        acceptanceCriteria: ['Logs in within 2 s', ' '],
      }),
    );
    expect(found.map(({ text, kind, strength }) => [text, kind, strength])).toEqual([
      ['The page must load.', 'statement', 'MUST'],
      ['Log in', 'bullet', 'SHOULD'],
      ['Logs in within 2 s', 'acceptance_criterion', 'MUST'],
    ]);
  });

  it('reads the description, else the prompt [SR-60]', async () => {
    const request = (task: object): Parameters<typeof extractor.extract>[0] => ({
      context: { task: { id: 't', ...task }, items: [] },
    });
    expect(
      await extractor.extract(request({ description: '- a thing', prompt: '- other' })),
    ).toMatchObject([{ text: 'a thing' }]);
    expect(await extractor.extract(request({ description: ' ', prompt: '- other' }))).toMatchObject(
      [{ text: 'other' }],
    );
  });

  it('neither description nor prompt gives an empty list [D004-23]', async () => {
    expect(await extractor.extract({ context: { task: { id: 't' }, items: [] } })).toEqual([]);
    expect(await extractor.extract('')).toEqual([]);
  });

  it('a task in which nothing is found is one requirement: the task as a whole [R2-001]', async () => {
    const found = await extractor.extract('# Tea\n\nWrite an **article** about tea.\n');
    expect(found).toEqual([
      {
        text: 'Tea Write an article about tea.',
        source: 'explicit',
        kind: 'whole',
        strength: 'MUST',
        line: 1,
        endLine: 3,
        section: [],
      },
    ]);
    const nothing = new RequirementExtractor({ strategy: () => [] });
    expect(await nothing.extract('---')).toMatchObject([{ text: '---', kind: 'whole' }]);
    expect(await nothing.extract(' \n\t')).toEqual([]);
  });

  it('the whole task is shortened between two words', async () => {
    const [long] = await extractor.extract(`Article ${'about a tea pot '.repeat(100_000)}`);
    expect(long?.text).toMatch(/^Article about .{200,290} \.\.\.$/);
  });

  it('acceptance criteria alone are enough', async () => {
    const request = agentRequest({ description: 'An article', acceptanceCriteria: ['is short'] });
    expect(await extractor.extract(request)).toMatchObject([{ kind: 'acceptance_criterion' }]);
  });

  it('a criterion that repeats an item makes it binding and is not counted again', async () => {
    const found = await extractor.extract(
      agentRequest({
        description: '# Login\n- shows the forgot password link',
        acceptanceCriteria: ['Shows the forgot password link'],
      }),
    );
    expect(found).toHaveLength(1);
    expect(found[0]?.strength).toBe('MUST');
  });
});
