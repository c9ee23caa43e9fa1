import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';
import { isQuestion } from '../../../src/requirements/noise.js';
import { isKeyWordNotice } from '../../../src/requirements/obligation.js';
import { sectionKind } from '../../../src/requirements/sections.js';

async function found(...lines: string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ line }) => lines[line - 1] ?? '');
}

describe('a question mark', () => {
  it.each([
    ['Handle errors (what if the tide is unknown?)', false],
    ['What is timed (and why?)', true],
    ['(Why?)', true],
    ['Is there a harbour?', true],
  ])('%s', (text, question) => {
    expect(isQuestion(text)).toBe(question);
  });
});

describe('a notice about key words', () => {
  it.each([
    ['The key words "MUST" and "MAY" are to be read as in RFC 2119.', true],
    ['The key words MUST and MAY are to be interpreted as usual.', true],
    ['The search SHALL say "No results" and suggest other keywords.', false],
  ])('%s', (text, notice) => {
    expect(isKeyWordNotice(text)).toBe(notice);
  });
});

describe('the name of a section', () => {
  it.each([
    ['AI Usage — Encouraged and Expected', 'unclear'],
    ['Suggested Time Split', 'background'],
    ['Primary User Lanes', 'background'],
    ['Sources', 'background'],
    ['Extension Opportunities', 'excluded'],
    ['QA Results', 'excluded'],
    ['Expected', 'acceptance'],
    ['Bonus', 'requirements'],
  ])('%s: %s', (name, kind) => {
    expect(sectionKind(name)).toBe(kind);
  });

  it('below features, a page is a part of the product', async () => {
    const list = ['- History of the harbour', '- Weekly tide table'];
    expect(
      await found(
        '# Site',
        '',
        '## Core Features',
        '',
        '### About Us',
        list[0] ?? '',
        '',
        '### Schedule',
        list[1] ?? '',
      ),
    ).toEqual(list);
  });
});

describe('a plan', () => {
  it('counts in a text without headings, and not a proposal', async () => {
    const plan = 'For the tides, I will use the table of the port.';
    expect(await found(plan, '', 'We should have a call about the price.')).toEqual([plan]);
  });

  it('leaves out its phases, unless they command', async () => {
    const list = ['1. ✅ **Phase 1**: Charts of the port', '2. **Phase 2**: Draw the tide curve'];
    expect(await found('# Port', '', '- Show the tide', '', '## Stages', '', ...list)).toEqual([
      '- Show the tide',
      list[1],
    ]);
  });

  it('names values of the result', async () => {
    const list = ['- Runtime: Node.js', '- Language: Lisp', '- Alerts: mail first'];
    expect(await found('# Port', '', '## Strategy', '', ...list)).toEqual(list);
  });
});

describe('tasks', () => {
  it('with the same text below different tasks count twice', async () => {
    const list = [
      '- [ ] Migrate the port',
      '  - [ ] Update tests',
      '- [ ] Migrate the bay',
      '  - [ ] Update tests',
    ];
    expect(await found('# Tasks', '', ...list)).toEqual(list);
  });
});
