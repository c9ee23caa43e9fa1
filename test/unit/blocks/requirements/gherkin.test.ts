import { describe, expect, it } from 'vitest';
import { explicitRequirements } from '@/blocks/requirements/explicit-requirements.js';
import { gherkinRequirements, isGherkin, loadGherkin } from '@/blocks/requirements/gherkin.js';

await loadGherkin();

const linesOf = (text: string): number[] =>
  gherkinRequirements({ lines: text.split('\n') }).map(({ line }) => line);

describe('feature files', () => {
  it('are read in their language', () => {
    const features: readonly (readonly [string, readonly number[]])[] = [
      [
        '# language: de\nFunktionalität: Korb\n  Grundlage:\n    Angenommen es gibt einen Korb\n  Szenariogrundriss: Leeren\n    Wenn er geleert wird\n    Dann ist er leer\n    Und er bleibt leer\n\n    Beispiele:\n      | a |',
        [7, 8],
      ],
      [
        "# language: fr\nFonctionnalité: Panier\n  Scénario: Vider\n    Étant donné un panier\n    Lorsqu'on le vide\n    Alors il est vide\n    Mais il reste là\n    Quand on le jette\n    Et on part\n    Alors rien",
        [6, 7, 10],
      ],
      [
        '機能: カート\n  背景:\n    前提 カートがある\n  シナリオ: 空にする\n    もし カートを空にする\n    ならばカートは空である\n    かつ カートは残る',
        [6, 7],
      ],
      [
        'Функция: Корзина\n  Правило: Одна\n    Пример: Очистить\n      Дано корзина\n      Когда её очищают\n      Тогда она пуста\n      И она остаётся',
        [6, 7],
      ],
      [
        '# language: pt\nFuncionalidade: Carrinho\nCenario: Esvaziar\nDado um carrinho\nQuando o esvazio\nEntao ele fica vazio',
        [6],
      ],
      [
        '功能: 购物车\n  场景: 清空\n    假如 有一个购物车\n    当 清空它\n    那么 它是空的\n    并且 它还在',
        [5, 6],
      ],
      [
        'Özellik: Sepet\n  Senaryo: Boşalt\n    Diyelim ki bir sepet var\n    Eğer ki boşaltılır\n    O zaman boştur\n    Ama kalır',
        [5, 6],
      ],
    ];
    for (const [feature, lines] of features) expect(linesOf(feature)).toEqual(lines);
  });

  it('the line of the language decides between languages that begin alike', () => {
    const feature =
      'Egenskap: Korg\n  Scenario: Töm\n    Givet en korg\n    När den töms\n    Så är den tom\n    Men den finns';
    expect(linesOf(`# language: sv\n${feature}`)).toEqual([6, 7]);
    expect(linesOf(feature)).toEqual([5, 6]);
  });

  it('bullets are steps, descriptions and doc strings are none, and the next scenario begins anew', () => {
    expect(
      linesOf(
        'Feature: Cart\n  Then it is only told\n  Rule: One cart\n    Scenario: Empty\n      Then it is empty\n      * it stays\n      """\n      Then quoted\n      """\n    Example:\n      And nothing before',
      ),
    ).toEqual([5, 6]);
  });

  it('a background sets up, and asks for nothing', () => {
    expect(
      linesOf(
        'Feature: Cart\n  Background:\n    When the shop opens\n    Then a cart is there\n  Scenario: Empty\n    When it is emptied\n    Then it is empty',
      ),
    ).toEqual([7]);
  });

  it('steps in a fence need no name, and stand below the headings of the document', async () => {
    expect(
      await explicitRequirements(
        '## Cart\n\n```gherkin\nGiven a cart\nWhen it is emptied\nThen it is empty\n```',
      ),
    ).toMatchObject([
      { line: 6, text: 'Then it is empty (Given a cart, When it is emptied)', section: ['Cart'] },
    ]);
  });

  it('a text that only begins with such a word is none', async () => {
    expect(isGherkin(['Feature: a cart', '', '- It keeps its content'])).toBe(false);
    expect(isGherkin(['@cart', '# comment', 'Feature: a cart', 'Scenario: Empty'])).toBe(true);
    expect(await explicitRequirements('Feature: a cart\n\n- It keeps its content')).toMatchObject([
      { text: 'It keeps its content' },
    ]);
  });
});

it('in other documents, a condition that says what follows is whole, unless a step below does', async () => {
  const texts = async (text: string): Promise<string[]> =>
    (await explicitRequirements(`## Acceptance criteria\n\n${text}`)).map(
      (requirement) => requirement.text,
    );
  expect(
    await texts(
      '- When a name is free, the list is created\n- When it is full, new entries are refused',
    ),
  ).toHaveLength(2);
  expect(
    await texts(
      '- Given a user, logged in since today\n- When they leave, for good\n- Then the list is closed',
    ),
  ).toEqual([
    'Then the list is closed (Given a user, logged in since today, When they leave, for good)',
  ]);
});
