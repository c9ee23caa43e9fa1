import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';

/** The lines that are found, as they were written. */
async function found(...lines: string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ line }) => lines[line - 1] ?? '');
}

describe('the title of a document', () => {
  const items = [
    '## Ferry times',
    '',
    '**Acceptance criteria**:',
    '- Times are sorted by hour.',
    '- An empty day says so.',
  ];

  it('leaves nothing out where a label below it names requirements', async () => {
    expect(await found('# Harbour backlog', '', ...items)).toEqual(items.slice(3));
  });

  it('leaves out what is below it where nothing names requirements', async () => {
    expect(await found('# Harbour backlog', '', '## Ferry times', '', ...items.slice(3))).toEqual(
      [],
    );
  });

  it('does not decide for a section that leaves out', async () => {
    const later = ['## Later ideas', '', '**Acceptance criteria**:', '- Tides are shown.'];
    expect(await found('# Harbour', '', ...items, '', ...later)).toEqual(items.slice(3));
  });
});

it('a table of documents is an index', async () => {
  const table = (end: string) => [
    '| Part | Remarks |',
    '|---|---|',
    `| \`TIDES${end}\` | How the tide is counted |`,
    `| \`BOATS${end}\` | How boats are named |`,
  ];
  const head = ['# Harbour', '', '## Parts', ''];
  expect(await found(...head, ...table('.md'))).toEqual([]);
  expect(await found(...head, ...table('.count'))).toEqual(table('.count').slice(2));
});

it('a label with a state asks nothing by itself', async () => {
  const item = '- Times are sorted by hour.';
  for (const state of ['✅ **ALL DONE**', '🔄 **PARTIALLY COMPLETED**', 'not started'])
    expect(await found('# Ferry', '', `**Acceptance criteria**: ${state}`, item)).toEqual([item]);
});

it('an order of work that only names requirements asks nothing', async () => {
  const order = ['1. FR-2, FR-7 (as a base)', '2. ✅ FR-1 (times) - **COMPLETED**', '3. FR-4'];
  expect(await found('# Ferry', '', '## Requirements', '', ...order)).toEqual([]);
  const asks = ['- FR-2 (must): Times are sorted by hour.', '- FR-4 Show the tide'];
  expect(await found('# Ferry', '', '## Requirements', '', ...asks)).toEqual(asks);
});
