import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '../../../src/requirements/explicit-requirements.js';

/** The lines that are found, as they were written; all lines of `asks` are expected, in order. */
async function found(lines: readonly string[]): Promise<string[]> {
  return (await explicitRequirements(lines.join('\n'))).map(({ line }) => lines[line - 1] ?? '');
}

const stated = ['# Shop', '', '## Requirements', '', '- The cart keeps its content', ''];

describe('lists of commands', () => {
  it('an item between commands is one, although its words could be a name', async () => {
    const list = [
      '- Add a menu to the header',
      '- Support arrow keys',
      '- Keep the focus in the menu',
    ];
    expect(await found([...stated, '## Phase 1: Menu', '', ...list])).toEqual([
      '- The cart keeps its content',
      ...list,
    ]);
  });

  it('one command among names makes no list of commands, and a list below is one of its own', async () => {
    const names = [
      '- Arrow keys',
      '- Add a menu to the header',
      '- Colours',
      '  - Red roses',
      '  - Blue violets',
    ];
    expect(await found([...stated, '## Words', '', ...names])).toEqual([
      '- The cart keeps its content',
      '- Add a menu to the header',
    ]);
  });

  it('a label before the words says nothing about their form', async () => {
    const list = [
      '- **Packages**: Build both of them',
      '- **Colours:** Red roses',
      '- **Menu** - shows the most recent pages',
      '- **Flowers:** Blue violets',
    ];
    expect(await found([...stated, '## Words', '', ...list])).toEqual([
      '- The cart keeps its content',
      list[0],
      list[2],
    ]);
  });

  it('pictures before the words do not count', async () => {
    const list = ['- ❌ NEVER delete user files', '- ✅ Always ask before an update'];
    expect(await found([...stated, '## Words', '', ...list])).toEqual([
      '- The cart keeps its content',
      ...list,
    ]);
  });

  it('the name of a part in bold letters leads to no demands', async () => {
    expect(
      await found([
        ...stated,
        '## Words',
        '',
        '**Version Numbers**',
        '- Tag names with a dot',
        '- Name of the branch',
      ]),
    ).toEqual(['- The cart keeps its content']);
  });
});

describe('lines with bold labels', () => {
  it('are items where requirements are stated', async () => {
    const lines = ['**Login**: sessions of one hour', '**Search**: results in half a second'];
    expect(await found(['## Security requirements', '', ...lines])).toEqual(lines);
  });

  it('are none beside labels that tell about the document', async () => {
    expect(
      await found([
        '# Specification of the cart',
        '',
        '**Status**: Draft',
        '**Replaces**: the first specification of the cart',
      ]),
    ).toEqual([]);
  });

  it('a stage of the work is named by its label, unless it commands', async () => {
    const lines = [
      '- **Phase 1 (Setup):** project and dependencies',
      '- **Phase 2 (Menu):** Build the menu with the keyboard in mind',
    ];
    expect(await found(['## Tasks', '', ...lines])).toEqual([lines[1]]);
  });
});

describe('what is', () => {
  it('is not what has to be: what users often have to do', async () => {
    expect(
      await found(['Planners often have to call five people. The planner must see who is free.']),
    ).toHaveLength(1);
    expect(await found(['Planners often have to call five people.'])).toEqual([]);
    expect(await found(['**Core problem**: planners need to call five people.'])).toEqual([]);
  });

  it('a promise counts where requirements are stated, unless it is about the document or the people', async () => {
    const lines = [
      '## Requirements',
      '',
      'Ratings will be kept for a year.',
      '',
      'This document will be updated later.',
      '',
      'We will meet on Monday about this.',
    ];
    expect(await found(lines)).toEqual(['Ratings will be kept for a year.']);
  });

  it('a review that is "required for" something is required', async () => {
    expect(
      await found([
        'Manual review required for every change of the schema.',
        '',
        'See the plan (required for stories).',
      ]),
    ).toEqual(['Manual review required for every change of the schema.']);
  });

  it('a line that says what the document holds leads to nothing', async () => {
    expect(
      await found([
        '## Scope',
        '',
        'This specification covers:',
        '',
        '- the layout of files',
        '- the names of fields',
      ]),
    ).toEqual([]);
  });

  it('a label with nothing but code behind it refers', async () => {
    expect(
      await found([
        '**Acceptance criteria**',
        '',
        '- An order without items is refused',
        '',
        'Maps to: `PlaceOrder`, `RefuseOrder`.',
      ]),
    ).toEqual(['- An order without items is refused']);
  });

  it('a link with what it is asks for nothing', async () => {
    expect(
      await found([
        '- [Handbook](https://example.org/book) - how orders work',
        '- Orders keep their number',
      ]),
    ).toEqual(['- Orders keep their number']);
  });

  it('a story that a template leaves open is none', async () => {
    expect(
      await found([
        '## User story',
        '',
        '1. As a {}',
        '2. I want / need {}',
        '3. So that {reason}',
      ]),
    ).toEqual([]);
  });
});

describe('documents that bind by the words of RFC 2119', () => {
  const notice =
    'The key words "MUST" and "MAY" in this document are to be interpreted as described in RFC 2119.';

  it('ask by these words, also where others explain, but not in examples', async () => {
    const lines = [
      '## Language and Dependencies',
      '',
      notice,
      '',
      'A server MAY keep a copy.',
      '',
      '## Records',
      '',
      'When a copy is made, the record is marked. A row must then be read again.',
      '',
      '- MUST hold a key',
      '- Holds a key in most cases',
      '',
      'Each row MUST end with a line feed.',
      '',
      '## Examples',
      '',
      'The first row MUST be empty.',
    ];
    expect(await found(lines)).toEqual([
      'A server MAY keep a copy.',
      '- MUST hold a key',
      'Each row MUST end with a line feed.',
    ]);
  });

  it('a document that does not keep to it is read as any other', async () => {
    const lines = [notice, '', 'A row must be read again.', '', 'A key has to be a number.'];
    expect(await found(lines)).toEqual(['A row must be read again.', 'A key has to be a number.']);
  });
});

describe('other languages', () => {
  it('headings say what stands below them', async () => {
    expect(
      await found([
        '# 购物车',
        '',
        '## 背景',
        '',
        '- 用户经常忘记商品',
        '',
        '## 功能需求',
        '',
        '- 购物车保存商品三十天',
        '',
        '## 非目标',
        '',
        '- 跨设备同步购物车',
      ]),
    ).toEqual(['- 购物车保存商品三十天']);
    expect(
      await found([
        '# 장바구니',
        '',
        '## 범위',
        '',
        '- 상품을 서른 날 동안 보관한다',
        '',
        '## 범위 밖',
        '',
        '- 기기 사이의 동기화',
      ]),
    ).toEqual(['- 상품을 서른 날 동안 보관한다']);
    expect(
      await found([
        '## Périmètre',
        '',
        '- panier conservé trente jours',
        '',
        '## Hors périmètre',
        '',
        '- synchronisation des appareils',
      ]),
    ).toEqual(['- panier conservé trente jours']);
  });

  it('words oblige', async () => {
    const lines = [
      'Текст. Система должна хранить корзину тридцать дней.',
      '系统应在三秒内返回结果。',
      'カートは三十日間保存しなければならない。',
      'El sistema debería guardar el carrito.',
      'Sepet otuz gün saklanmalı, bu zorunludur.',
    ];
    for (const line of lines) expect(await found([line]), line).toEqual([line]);
    expect(await found(['应用程序的响应速度很快。'])).toEqual([]);
    expect(await found(['目前用户必须打电话。'])).toEqual([]);
  });

  it('people tell stories', async () => {
    const lines = [
      'Als Gast möchte ich ohne Konto bestellen.',
      "En tant qu'invité, je veux commander sans compte.",
      'Como visitante, quero comprar sem conta.',
      '作为访客，我想不注册就下单。',
    ];
    for (const line of lines) expect(await found([line]), line).toEqual([line]);
  });

  it('items of languages whose verbs are not known count where no heading says otherwise', async () => {
    const list = ['- Vider le panier après trente jours', '- Avertir le client par courriel'];
    expect(
      await found([
        '## Exigences',
        '',
        '- Le panier est conservé',
        '',
        '## Qui fait quoi',
        '',
        ...list,
      ]),
    ).toEqual(['- Le panier est conservé', ...list]);
  });

  it('tables name their columns', async () => {
    expect(
      await found([
        '## Anforderungen',
        '',
        '| ID | Beschreibung |',
        '|---|---|',
        '| A-1 | Wechsel der Sprache ohne neues Laden |',
      ]),
    ).toEqual(['| A-1 | Wechsel der Sprache ohne neues Laden |']);
    expect(await found(['| 优先级 | 功能 |', '|---|---|', '| P0 | 离线购物车 |'])).toEqual([
      '| P0 | 离线购物车 |',
    ]);
  });
});

describe('parts of documents', () => {
  it('what will not be had is excluded, results and risks tell', async () => {
    expect(
      await found([
        '## Must have',
        '',
        '- Login with a name',
        '',
        '## Will not have',
        '',
        '- Login with a card',
      ]),
    ).toEqual(['- Login with a name']);
    expect(
      await found([
        '## Risk assessment & mitigation',
        '',
        '1. **Outage**: servers fail',
        '   - **Fallback**: Use the other server only',
        '',
        '## Results & impact',
        '',
        '- 12 % more orders',
      ]),
    ).toEqual([]);
  });

  it('a rank, a date and a gap are no requirements', async () => {
    const lines = [
      '## Requirements',
      '',
      '**Priority:** P0 (Must have)',
      '',
      '- **Priority**: must be high',
      '- Orders keep their number',
      '',
      '<Name every role. If there is only one, it must be said.>',
      '',
      '**Fixed on**: 2026-02-26',
    ];
    expect(await found(lines)).toEqual(['- Orders keep their number']);
  });

  it('a colon inside parentheses makes no label', async () => {
    expect(
      await found([
        '## Requirements',
        '',
        '- Sample rate (default: 48 kHz)',
        '- Sample rate: 48 kHz of the test file',
      ]),
    ).toEqual(['- Sample rate (default: 48 kHz)']);
  });

  it('a colon ends no sentence that goes on in small letters, and a purpose is no ability', async () => {
    expect(
      await found([
        'Storage is the same kind of thing as the time:',
        'state that is handed in so that it can be replaced.',
      ]),
    ).toEqual([]);
  });

  it('a wrapped line of a script without spaces goes on', async () => {
    expect(
      await found([
        '新しいアプリの定義を作るときは、まず書き出し済みの既存の定義から作り始めて',
        '名前を必ず小文字に揃えること。',
      ]),
    ).toEqual(['新しいアプリの定義を作るときは、まず書き出し済みの既存の定義から作り始めて']);
  });

  it('where the document says what it wants, columns do, too', async () => {
    expect(
      await found([
        '| Version | As a ... | I want to ... |',
        '|---|---|---|',
        '| v1 | guest | see the opening hours |',
      ]),
    ).toEqual(['| v1 | guest | see the opening hours |']);
  });

  it('a feature may be about a history, and a task about dependencies', async () => {
    expect(
      await found([
        '## Features',
        '',
        '- Order history: the last ten orders',
        '',
        '## Approval history',
        '',
        '- Printed by the office',
      ]),
    ).toEqual(['- Order history: the last ten orders']);
    expect(
      await found([
        '- [ ] T4 Install new packages: alpha, beta',
        '- [ ] T5 Remove old dependencies: gamma',
        '- [ ] Dependencies: T4',
      ]),
    ).toEqual([
      '- [ ] T4 Install new packages: alpha, beta',
      '- [ ] T5 Remove old dependencies: gamma',
    ]);
  });

  it('what something is built with, and a welcome, are no demands', async () => {
    const lines = [
      'Welcome to our library, with lists of books and loans!',
      '',
      '## Technologies used',
      '',
      '- React',
      '- **Server**: Node.js',
      '',
      '## Built with',
      '',
      '- Love',
    ];
    expect(await found(lines)).toEqual([]);
    expect(
      await found(['## Tech stack', '', '- Links must open in the same window', '- Flask']),
    ).toEqual(['- Links must open in the same window']);
  });

  it('a wish asks where nothing is asked elsewhere, thanks do not', async () => {
    expect(
      await found([
        'We have one colour only.',
        "We'd like to add a second one, for the night.",
        'I would like to thank you.',
      ]),
    ).toEqual(["We'd like to add a second one, for the night."]);
    expect(await found(['For the interview, we ask you to build a list of loans.'])).toEqual([
      'For the interview, we ask you to build a list of loans.',
    ]);
  });

  it('where something is asked, "adding" asks like "add"', async () => {
    const lines = [
      '### Desired outcome',
      '',
      'Extending the menu with night colours',
      '',
      'Using it often hurts.',
      '',
      'Stopping the clock at night',
      '',
      'Saving the choice',
      '',
      'Everything else stays.',
    ];
    expect(await found(lines)).toEqual([
      'Extending the menu with night colours',
      'Stopping the clock at night',
      'Saving the choice',
    ]);
  });

  it('boxes that an author ticks ask for nothing', async () => {
    const boxes = [
      '- [x] I searched the issues',
      '- [x] This request holds no keys',
      '- [ ] If it is large, its parts are named',
    ];
    expect(
      await found([
        '### Checks',
        '',
        ...boxes,
        '',
        '### Tasks',
        '',
        '- [ ] Add a switch',
        '- [ ] Save the choice',
      ]),
    ).toEqual(['- [ ] Add a switch', '- [ ] Save the choice']);
  });

  it('what is required today, and what somebody said, the document does not ask', async () => {
    expect(
      await found([
        'Shops are already legally required to keep a list.',
        'Shops are required to print it.',
      ]),
    ).toEqual(['Shops are required to print it.']);
    expect(
      await found([
        '| Book | Holds |',
        '|---|---|',
        '| Register | What the law requires |',
        '| Ledger | It must be bound |',
      ]),
    ).toEqual(['| Ledger | It must be bound |']);
    expect(
      await found(['**Input**: User description: "The shop must keep a list of all its loans"']),
    ).toEqual([]);
  });

  it('what nobody needs to do is no obligation', async () => {
    expect(
      await found(['Tickets do not actually need to be closed.', 'Loans need to be closed.']),
    ).toEqual(['Loans need to be closed.']);
  });

  it('what says what requirements describe is none, results are none, and an outcome after another action is one more', async () => {
    expect(
      await found([
        '## Functional requirements',
        '',
        'These requirements describe what the system must do.',
        '',
        '* **Result:** passed',
        '* Orders keep their number',
      ]),
    ).toEqual(['* Orders keep their number']);
    const steps = [
      '#### Scenario: twice',
      '- **WHEN** it is saved',
      '- **THEN** the status is 200',
      '- **WHEN** it is saved again',
      '- **THEN** the status is 200',
    ];
    expect(await found(steps)).toEqual([steps[2], steps[4]]);
  });
});
