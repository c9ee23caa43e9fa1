import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';

/** The lines that are found, as they were written. */
async function found(...lines: string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ line }) => lines[line - 1] ?? '');
}

/** A section with a table. */
function section(heading: string, header: string, rows: readonly string[]): string[] {
  const dashes = header.replace(/[^|]+/g, '---');
  return ['# Tides', '', `## ${heading}`, '', header, dashes, ...rows];
}

describe('a table about people', () => {
  it('counts by its column of what they may do', async () => {
    const rows = ['| Keeper | Edit and delete gauges |', '| Guest | Read gauges |'];
    for (const column of ['Permissions', 'Can do', 'What they can do', 'Access rights'])
      expect(await found(...section('Users', `| Role | ${column} |`, rows)), column).toEqual(rows);
  });

  it('counts by a cell that begins with "can", and not by who they are', async () => {
    const rows = ['| Keeper | Can edit gauges |', '| Fisher | Lives by the sea |'];
    const lines = section('Roles', '| Role | Description |', rows);
    expect(await found(...lines)).toEqual([rows[0]]);
  });

  it('so does a list', async () => {
    const items = ['- **Keeper**: can edit gauges', '- **Fisher**: lives by the sea'];
    expect(await found('# Tides', '', '## Users', '', ...items)).toEqual([items[0]]);
  });
});

describe('a table of risks', () => {
  const header = '| Risk | Impact | Mitigation |';

  it('counts by a remedy that is a part of the result', async () => {
    const rows = ['| Slow list | High | Rate limiting, pages of 50 gauges |'];
    expect(await found(...section('Risks', header, rows))).toEqual(rows);
    const other = section('Risks', '| Risk | How we mitigate |', ['| Slow list | Cached pages |']);
    expect(await found(...other)).toEqual(['| Slow list | Cached pages |']);
  });

  it.each([
    '| Nobody uses it | Low | Thorough training |',
    '| Delays | High | Regular reviews with stakeholders |',
    '| Costs | Low | Free tier is sufficient |',
    '| Storms | Low | No change |',
  ])('does not count by the work of people, or by a judgement: %s', async (row) => {
    expect(await found(...section('Risks', header, [row]))).toEqual([]);
  });
});

describe('a table of features', () => {
  it('leaves out a row that is for later', async () => {
    const rows = ['| Gauges | MVP |', '| Moons | Later |', '| Waves | Post-MVP |'];
    expect(await found(...section('Scope', '| Feature | Release |', rows))).toEqual([rows[0]]);
  });

  it('may say what each part is for', async () => {
    const rows = ['| Harbour | Lists all tides of a day |', '| Map | All harbours at once |'];
    expect(await found(...section('Layout', '| Screen | Purpose |', rows))).toEqual(rows);
    expect(await found(...section('Layout', '| Word | Purpose |', ['| Ebb | low tide |']))).toEqual(
      [],
    );
  });
});
