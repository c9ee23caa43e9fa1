/** The parts of a feature file that have key words, in the order of {@link rows}. */
const parts = [
  'feature',
  'rule',
  'background',
  'scenario',
  'examples',
  'given',
  'when',
  'outcome',
  'and',
] as const;
type Part = (typeof parts)[number];

/** The key words of feature files, of each part the ways to say it, with a bar between. */
export type GherkinWords = Readonly<Record<Part, string>>;

/** The key words of each part, one for one. */
type WordsOf<Parts extends readonly string[]> = { readonly [Index in keyof Parts]: string };

const rows: Readonly<Record<string, WordsOf<typeof parts>>> = {
  en: [
    'Feature|Business Need|Ability',
    'Rule',
    'Background',
    'Scenario Outline|Scenario Template|Scenario|Example',
    'Examples|Scenarios',
    'Given',
    'When',
    'Then',
    'And|But',
  ],
  cs: [
    'Požadavek',
    'Pravidlo',
    'Pozadí|Kontext',
    'Náčrt Scénáře|Osnova scénáře|Scénář|Příklad',
    'Příklady',
    'Pokud|Za předpokladu',
    'Když',
    'Pak',
    'A také|A|Ale',
  ],
  da: [
    'Egenskab',
    'Regel',
    'Baggrund',
    'Abstrakt Scenario|Scenarie|Scenario|Eksempel',
    'Eksempler',
    'Givet',
    'Når',
    'Så',
    'Og|Men',
  ],
  de: [
    'Funktionalität|Funktion',
    'Regel',
    'Grundlage|Hintergrund|Voraussetzungen|Vorbedingungen',
    'Szenariogrundriss|Szenarien|Szenario|Beispiel',
    'Beispiele',
    'Angenommen|Gegeben',
    'Wenn',
    'Dann',
    'Und|Aber',
  ],
  es: [
    'Característica|Necesidad del negocio|Requisito',
    'Regla de negocio|Regla',
    'Antecedentes',
    'Esquema del escenario|Escenario|Ejemplo',
    'Ejemplos',
    'Dado|Dada|Dados|Dadas',
    'Cuando',
    'Entonces',
    'Y|E|Pero',
  ],
  fi: [
    'Ominaisuus',
    'Rule',
    'Tausta',
    'Tapausaihio|Tapaus',
    'Tapaukset',
    'Oletetaan',
    'Kun',
    'Niin',
    'Ja|Mutta',
  ],
  fr: [
    'Fonctionnalité',
    'Règle',
    'Contexte',
    'Plan du scénario|Plan du Scénario|Scénario|Exemple',
    'Exemples',
    'Soit|Sachant|Étant|Etant',
    'Quand|Lorsque|Lorsqu',
    'Alors|Donc',
    'Et|Mais',
  ],
  hu: [
    'Jellemző',
    'Szabály',
    'Háttér',
    'Forgatókönyv vázlat|Forgatókönyv|Példa',
    'Példák',
    'Amennyiben|Adott',
    'Majd|Ha|Amikor',
    'Akkor',
    'És|De',
  ],
  id: [
    'Fitur',
    'Aturan|Rule',
    'Dasar|Latar Belakang',
    'Skenario konsep|Garis-Besar Skenario|Skenario|Contoh',
    'Contoh|Misal',
    'Dengan|Diketahui|Diasumsi|Bila|Jika',
    'Ketika',
    'Maka|Kemudian',
    'Dan|Tapi|Tetapi',
  ],
  it: [
    'Funzionalità|Esigenza di business|Abilità',
    'Regola',
    'Contesto',
    'Schema dello scenario|Scenario|Esempio',
    'Esempi',
    'Dato|Data|Dati|Date',
    'Quando',
    'Allora',
    'E|Ma',
  ],
  ja: [
    'フィーチャ|機能',
    'ルール',
    '背景',
    'シナリオアウトライン|シナリオテンプレート|シナリオテンプレ|テンプレ|シナリオ',
    '例|サンプル',
    '前提',
    'もし',
    'ならば',
    '且つ|かつ|然し|しかし|但し|ただし',
  ],
  ko: [
    '기능',
    '규칙',
    '배경',
    '시나리오 개요|시나리오',
    '예',
    '조건|먼저',
    '만일|만약',
    '그러면',
    '그리고|하지만|단',
  ],
  nl: [
    'Functionaliteit',
    'Regel',
    'Achtergrond',
    'Abstract Scenario|Scenario|Voorbeeld',
    'Voorbeelden',
    'Gegeven|Stel',
    'Als|Wanneer',
    'Dan',
    'En|Maar',
  ],
  no: [
    'Egenskap',
    'Regel',
    'Bakgrunn',
    'Scenariomal|Abstrakt Scenario|Scenario|Eksempel',
    'Eksempler',
    'Gitt',
    'Når',
    'Så',
    'Og|Men',
  ],
  pl: [
    'Właściwość|Funkcja|Aspekt|Potrzeba biznesowa',
    'Zasada|Reguła',
    'Założenia',
    'Szablon scenariusza|Scenariusz|Przykład',
    'Przykłady',
    'Zakładając|Mając',
    'Jeżeli|Jeśli|Gdy|Kiedy',
    'Wtedy',
    'Oraz|I|Ale',
  ],
  pt: [
    'Funcionalidade|Característica|Caracteristica',
    'Regra',
    'Contexto|Cenário de Fundo|Cenario de Fundo',
    'Esquema do Cenário|Esquema do Cenario|Delineação do Cenário|Cenário|Cenario|Exemplo',
    'Exemplos|Cenários|Cenarios',
    'Dado|Dada|Dados|Dadas',
    'Quando',
    'Então|Entao',
    'E|Mas',
  ],
  ro: [
    'Functionalitate|Funcționalitate',
    'Regulă',
    'Context',
    'Structura scenariu|Scenariu|Exemplu',
    'Exemple',
    'Date fiind|Dat fiind|Dată fiind',
    'Cand|Când',
    'Atunci',
    'Si|Și|Şi|Dar',
  ],
  ru: [
    'Функциональность|Функционал|Функция|Свойство',
    'Правило',
    'Предыстория|Контекст',
    'Структура сценария|Шаблон сценария|Сценарий|Пример',
    'Примеры',
    'Допустим|Дано|Пусть',
    'Когда|Если',
    'То|Затем|Тогда',
    'И|К тому же|Также|Но|А|Иначе',
  ],
  sv: [
    'Egenskap',
    'Regel',
    'Bakgrund',
    'Abstrakt Scenario|Scenariomall|Scenario',
    'Exempel',
    'Givet',
    'När',
    'Så',
    'Och|Men',
  ],
  tr: [
    'Özellik',
    'Kural',
    'Geçmiş',
    'Senaryo taslağı|Senaryo|Örnek',
    'Örnekler',
    'Diyelim ki',
    'Eğer ki',
    'O zaman',
    'Ve|Fakat|Ama',
  ],
  uk: [
    'Функціонал',
    'Правило',
    'Передумова',
    'Структура сценарію|Сценарій|Приклад',
    'Приклади',
    'Припустимо|Нехай|Дано',
    'Якщо|Коли',
    'То|Тоді',
    'І|А також|Та|Але',
  ],
  vi: [
    'Tính năng',
    'Quy tắc',
    'Bối cảnh',
    'Khung tình huống|Khung kịch bản|Tình huống|Kịch bản',
    'Dữ liệu',
    'Biết|Cho',
    'Khi',
    'Thì',
    'Và|Nhưng',
  ],
  'zh-CN': [
    '功能',
    '规则',
    '背景',
    '场景大纲|剧本大纲|场景|剧本',
    '例子',
    '假如|假设|假定',
    '当',
    '那么',
    '而且|并且|同时|但是',
  ],
  'zh-TW': [
    '功能',
    '規則',
    '背景',
    '場景大綱|劇本大綱|場景|劇本',
    '例子',
    '假如|假設|假定',
    '當',
    '那麼',
    '而且|並且|同時|但是',
  ],
};

const known: readonly (GherkinWords & { readonly language: string })[] = Object.entries(rows).map(
  ([language, row]) => ({ language, ...wordsBy((_, index) => row[index] ?? '') }),
);

/** Whether words of a language stand before others without a space. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;

/** An expression for key words that a line begins with, and what has to follow them. */
export function beginning(words: string, then: ':' | ' '): RegExp {
  const parts = words
    .split('|')
    .map((word) =>
      then === ':' ? `${word}\\s*:` : unspaced.test(word) ? word : `${word}(?=[\\s']|$)`,
    );
  return new RegExp(`^\\s*(${parts.join('|')})\\s*(.*)$`, 'iu');
}

/** What of a language a text begins with. */
type Opening = 'feature' | 'scenario' | 'background';

/**
 * The key words of a text that begins with the name of a feature, or of another part of one, from its `# language:` line or that
 * first word; undefined for other texts. Languages that begin alike are read together.
 */
export function gherkinWords(
  lines: readonly string[],
  ...openings: readonly Opening[]
): GherkinWords | undefined {
  const first = lines.find((line) => line.trim() !== '' && !/^\s*[#@]/.test(line)) ?? '';
  const all = known.filter((words) =>
    openings.some((opening) => beginning(words[opening], ':').test(first)),
  );
  if (all.length === 0) return undefined;
  const named = lines
    .slice(0, 20)
    .flatMap((line) => /^\s*#\s*language\s*:\s*([\w-]+)/i.exec(line)?.[1]?.toLowerCase() ?? []);
  const fitting = all.filter(({ language }) => named.includes(language.toLowerCase()));
  return merged(fitting.length === 0 ? all : fitting);
}

/** The key words of feature files in English. */
export function englishWords(): GherkinWords {
  return merged(known.filter(({ language }) => language === 'en'));
}

function merged(all: readonly GherkinWords[]): GherkinWords {
  return wordsBy((part) => all.map((words) => words[part]).join('|'));
}

function wordsBy(of: (part: Part, index: number) => string): GherkinWords {
  return Object.fromEntries(parts.map((part, index) => [part, of(part, index)])) as Record<
    Part,
    string
  >;
}
