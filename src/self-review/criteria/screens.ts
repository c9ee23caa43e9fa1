const notAScreen = new Set(
  (
    'the a an this that these those each every all any some one single same other another current following next previous first last new existing web mobile desktop tablet responsive accessible modern simple clean ' +
    'full entire whole my our your their its his her per on in of for to and or with without by as is are be between multiple several two three four html css ui ux user users they we you it can could must should shall will would may might not ' +
    'small large big wide narrow touch split single-page page pages screen screens view views design designs mockup mockups support supports at from into across single multi component components library app application site website ' +
    'stylesheet prototype wireframe wireframes layout set list grid tree table card form forms button buttons feature features system tool solution interface product project create design build make add implement update write draw include includes show shows see open style review which when where only also then more most'
  ).split(' '),
);
const word = '[\\p{L}\\p{N}][\\p{L}\\p{N}_-]{0,60}';
const place =
  '(?:pages?|screens?|views?|mockups?)(?![\\p{L}\\p{N}_-]|\\s+(?:readers?|sizes?|widths?|resolutions?)\\b)';
const patterns: readonly RegExp[] = [
  new RegExp(`(${word})\\s+${place}`, 'giu'),
  new RegExp(`\\b(?:page|screen|view)s?\\s+for\\s+(?:(?:the|a|an|our|your)\\s+)?(${word})`, 'giu'),
  new RegExp(
    `\\b(?:create|design|build)\\s+(?:(?:the|a|an|our|your)\\s+)?(${word})(?=\\s+(?:forms?\\b|with\\b|for\\b|that\\b|and\\b|where\\b|to\\b|in\\b|using\\b)|\\s*(?:[.,;:!?)]|$))`,
    'gimu',
  ),
];
const listed = new RegExp(
  `(${word}(?:\\s{0,3},\\s{0,3}${word}){0,20},?\\s+(?:and|or|&)\\s+${word})\\s+${place}`,
  'giu',
);

/**
 * Returns the screens that a task names ("the login page", "a screen for billing"), in lower case,
 * each once.
 */
export function screensIn(text: string): string[] {
  const found = patterns.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), (match) => match[1] ?? ''),
  );
  const together = Array.from(text.matchAll(listed), (match) =>
    (match[1] ?? '')
      .split(/(?<!\s)\s*,\s*|(?<!\s)\s+(?:and|or|&)\s+/)
      .map((name) => name.replace(/^(?:and|or)\s+/, '')),
  ).flat();
  const names = [...together, ...found].map((name) =>
    name.toLowerCase().replace(/(?<![-_])[-_]+$/, ''),
  );
  return [
    ...new Set(
      names.filter((name) => name.length > 1 && !notAScreen.has(name) && !/^\d+$/.test(name)),
    ),
  ];
}

/** Whether an artifact's path names a screen: `sign-up` is in `mockups/SignUp.html`. */
export function pathNamesScreen(path: string, screen: string): boolean {
  const wanted = letters(screen);
  return wanted !== '' && letters(path).includes(wanted);
}

function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}/]+/gu, '');
}
