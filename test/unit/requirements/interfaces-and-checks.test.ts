import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';

/** The lines that are found, as they were written. */
async function found(...lines: string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ line }) => lines[line - 1] ?? '');
}

describe('a table of names in code', () => {
  const rule = '|---|---|---|';

  it('says what each part is, without a column for requirements', async () => {
    const rows = [
      '| `tide` | server | Sorted by hour. Skips empty days. |',
      '| `moon` | client | Phase of the moon |',
    ];
    const table = ['| Tool | Place | Remarks |', rule, ...rows];
    expect(await found('# Gauges', '', '## Tool surface', '', ...table)).toEqual(rows);
  });

  it('asks nothing as a list of parameters, terms, or of names and words', async () => {
    const rows = ['| `days` | 7 | Days in one list |', '| `zone` | UTC | Zone of the hours |'];
    const read = (head: string, lines: string[]): Promise<string[]> =>
      found('# Gauges', '', '## Harbour', '', head, rule, ...lines);
    expect(await read('| Key | Default | Meaning |', rows)).toEqual([]);
    expect(await read('| Term | Unit | Meaning |', rows)).toEqual([]);
    const mixed = rows.map((row, index) => (index === 0 ? row : row.replaceAll('`', '')));
    expect(await read('| Key | Place | Meaning |', mixed)).toEqual([]);
    expect(await read('| Key | Place | Meaning |', rows.slice(1))).toEqual([]);
    expect(await read('| Key | Place | Meaning |', rows)).toEqual(rows);
  });
});

describe('a name in code', () => {
  it('is no word for a section, so that its steps ask', async () => {
    const steps = ['1. `copy tides.bin` (signed)', '2. Start the gauge'];
    const text = ['# Tides', '', '## Delivery', '', '`make install`:', '', ...steps];
    expect(await found(...text)).toEqual(steps);
  });

  it('after a label for what is proposed, or as a call, is a part of the interface', async () => {
    const asks = ['**Proposed tool:** `tide_list`', '**Reading:** `tide_read(gauge, day)`'];
    const none = ['**Current tool:** `tide_old()`', '**Problem:** `tide_all` returns each hour.'];
    const text = [...asks, ...none].flatMap((line) => ['', line]);
    expect(await found('# Tides', '', '## 1. Lists', ...text)).toEqual(asks);
  });
});

describe('a list that commands', () => {
  it('asks in a section that describes, although one of four items does not command', async () => {
    const items = ['- Keep the tone calm', '- Use few colours', '- Always show the hour'];
    const rest = ['', '## Requirements', '', '- Tides are sorted'];
    const read = (...notes: string[]): Promise<string[]> =>
      found('# Tides', '', '## Notes', '', ...notes, ...rest);
    const other = '- Consider sailors';
    expect(await read(...items, other)).toEqual([...items, other, '- Tides are sorted']);
    expect(await read(items[0] ?? '', other, '- Sailors', '- Storms')).toEqual([
      '- Tides are sorted',
    ]);
  });
});

describe('the work of people', () => {
  it('is to run a command to check, below any heading', async () => {
    const text = ['# Tides', '', '## Tasks', '', '- Run `tide list` to verify the order'];
    expect(await found(...text, '- Add a list of tides')).toEqual(['- Add a list of tides']);
  });

  it('is a step of a numbered task that only checks', async () => {
    const steps = ['- Confirm the list is sorted', '- Write a test for each gauge'];
    const text = ['# Tides', '', '## Tasks', '', '### Task 3: Verify the list', '', ...steps];
    expect(await found(...text)).toEqual([steps[1]]);
    const built = text.with(4, '### Task 3: Build the list');
    expect(await found(...built)).toEqual(steps);
  });

  it('is such a step below a box, too', async () => {
    const steps = ['  - [ ] Validate the order', '  - [ ] Add a gauge for storms'];
    const box = '- [ ] **Step 2 - Final checks**';
    expect(await found('# Tides', '', '## Tasks', '', box, ...steps)).not.toContain(steps[0]);
    expect(await found('# Tides', '', '## Tasks', '', box, ...steps)).toContain(steps[1]);
  });

  it('is a manual test, and what not to send', async () => {
    const text = ['# Tides', '', '**Manual testing required:**', '', '1. Open the list of tides'];
    expect(await found(...text)).toEqual([]);
    const sent = [
      '# Tides',
      '',
      '## Rules',
      '',
      '- Do not open a pull request until a reader agrees',
    ];
    expect(await found(...sent)).toEqual([]);
  });
});

describe('what exists or is not needed', () => {
  it('asks nothing', async () => {
    for (const said of [
      'A working prototype for gauges exists.',
      'A complete example lives at `docs/tides.json`.',
      'No data models required for this part - it only draws.',
      'No UI parts required - this is a service.',
    ])
      expect(await found('# Tides', '', '## Gauges', '', said, '', 'Tides are sorted.')).toEqual([
        'Tides are sorted.',
      ]);
    expect(await found('# Tides', '', '## Rules', '', 'No login is required for lists.')).toEqual([
      'No login is required for lists.',
    ]);
  });

  it('does not include what counts as done, although it says "considered"', async () => {
    const items = ['1. Tides are sorted', '2. Storms are shown'];
    const text = [
      '# Tides',
      '',
      '## Success criteria',
      '',
      '**The list considered done when:**',
      '',
    ];
    expect(await found(...text, ...items)).toEqual(items);
  });

  it('asks nothing below its heading, either', async () => {
    const items = ['- A list for the moon and storms', '- `tide`, `moon` for sailors'];
    for (const heading of ['Existing tools used by gauges', 'Completed requests'])
      expect(await found('# Tides', '', `## ${heading}`, '', ...items), heading).toEqual([]);
    expect(await found('# Tides', '', '## New tools', '', ...items)).toEqual(items);
    const asks = '- `zone = "UTC"` and `days = 7`.';
    expect(await found('# Tides', '', '## What goes in the settings file', '', asks)).toEqual([
      asks,
    ]);
  });
});
