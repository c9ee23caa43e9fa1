import { describe, expect, it } from 'vitest';
import { RequirementExtractor } from '@/blocks/requirements/requirement-extractor.js';
import {
  judgedRequirements,
  type ListedRequirement,
  numberRequirements,
  refreshList,
  taskDigest,
} from '@/blocks/requirements/requirement-list.js';
import { agentRequest } from '@/products/self-review/agent.js';

const read = (task: string) => new RequirementExtractor().extract(task);
const listOf = async (task: string) => numberRequirements(await read(task));
const short = (list: readonly ListedRequirement[]) => list.map(({ id, text }) => `${id} ${text}`);

const task = '# Cart\n\n- Guests can buy\n- Prices have decimals\n- The total is shown';

describe('a list of requirements', () => {
  it('has ids in the order of the document, and each text once', async () => {
    expect(short(await listOf(task))).toEqual([
      'R1 Guests can buy',
      'R2 Prices have decimals',
      'R3 The total is shown',
    ]);
    const twice = '# A\n\n- Log in\n\n# B\n\n- Log in';
    expect(short(await listOf(twice))).toEqual(['R1 Log in', 'R2 Log in (B)']);
  });

  it('leaves out what its user left out', async () => {
    const [first, ...rest] = await listOf(task);
    const list: ListedRequirement[] = [{ ...first, strength: 'OUT' } as ListedRequirement, ...rest];
    expect(judgedRequirements(list).map(({ id }) => id)).toEqual(['R2', 'R3']);
  });

  it('the digest of a task ignores line ends, the byte order mark and white space at the end', () => {
    expect(taskDigest('a\nb')).toBe(taskDigest('\uFEFFa\r\nb\r\n\r\n'));
    expect(taskDigest('a\nb')).not.toBe(taskDigest('a\nc'));
  });
});

describe('reading the task again', () => {
  it('changes nothing if the task is the same', async () => {
    const before = await listOf(task);
    const now = refreshList(before, await read(task));
    expect(now).toEqual({ list: before, added: [], removed: [], changed: [] });
  });

  it('ids stay, new requirements get the next number, removed numbers are not used again', async () => {
    const before = await listOf(task);
    const changed = '# Cart\n\n- Carts expire\n- The total is shown\n- Guests can buy';
    const now = refreshList(before, await read(changed));
    expect(short(now.list)).toEqual([
      'R4 Carts expire',
      'R1 Guests can buy',
      'R3 The total is shown',
    ]);
    expect(now.list.map(({ line }) => line)).toEqual([3, 5, 4]);
    expect(short(now.added)).toEqual(['R4 Carts expire']);
    expect(short(now.removed)).toEqual(['R2 Prices have decimals']);
  });

  it('what a person edited, left out or wrote survives', async () => {
    const [first, second, third] = await listOf(task);
    const edited = [
      { ...first, text: 'Guests can buy without an account', strength: 'MAY' },
      { ...second, strength: 'OUT' },
      third,
      { id: 'own-1', text: 'It is fast', strength: 'MUST' },
    ] as ListedRequirement[];
    const now = refreshList(edited, await read(`Hello!\n\n${task}\n- Carts expire`));
    expect(short(now.list)).toEqual([
      'R1 Guests can buy without an account',
      'R2 Prices have decimals',
      'R3 The total is shown',
      'own-1 It is fast',
      'R4 Carts expire',
    ]);
    expect(now.list.map(({ strength }) => strength)).toEqual([
      'MAY',
      'OUT',
      'SHOULD',
      'MUST',
      'SHOULD',
    ]);
  });

  it('a sentence that changed a little keeps its id and is shown', async () => {
    const before = await listOf(task);
    const now = refreshList(before, await read(task.replace('have decimals', 'have two decimals')));
    expect(now).toMatchObject({ added: [], removed: [] });
    expect(now.changed.map(({ before: old, now: next }) => [old.text, next.id, next.text])).toEqual(
      [['Prices have decimals', 'R2', 'Prices have two decimals']],
    );
  });

  it('the whole task makes room for what is found later', async () => {
    const before = await listOf('Write an article about tea.');
    expect(before).toMatchObject([{ id: 'R1', whole: true }]);
    const now = refreshList(
      before,
      await read('Write an article about tea.\n\n- At most 200 words'),
    );
    expect(short(now.list)).toEqual(['R2 At most 200 words']);
  });
});

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
