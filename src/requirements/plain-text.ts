const marks =
  /\\([!-/:-@[-`{-~])|(?<!`)(`{1,3})(?!`)([^`]{1,500})\2(?!`)|!?\[([^\]\n]{0,300})\]\([^()\s]{0,500}(?: "[^"\n]{0,200}")?\)|<((?:https?|mailto):[^<>\s]{1,500})>|(\*{1,3}|~~|(?<![\p{L}\p{N}])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![\p{L}\p{N}]))/gu;

/**
 * Returns the words of a line of Markdown, without the marks of emphasis, code, links and escapes.
 */
export function plainText(line: string): string {
  return line.replace(
    marks,
    (_, escaped?: string, _ticks?: string, code?: string, link?: string, address?: string) =>
      escaped ?? code ?? link ?? address ?? '',
  );
}
