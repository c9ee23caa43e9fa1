const marks =
  /\\([!-/:-@[-`{-~])|(?<!`)(`{1,3})(?!`)([^`]{1,500})\2(?!`)|!?\[([^\]\n]{0,300})\]\([^()\s]{0,500}(?: "[^"\n]{0,200}")?\)|<((?:https?|mailto):[^<>\s]{1,500})>|(\*{1,3}|~~|(?<![\p{L}\p{N}])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![\p{L}\p{N}]))/gu;

/**
 * Returns the words of a line of Markdown, without the marks of emphasis, code, links and escapes.
 *
 * @param code - `quoted` keeps the marks around code.
 */
export function plainText(line: string, code: 'plain' | 'quoted' = 'plain'): string {
  return line.replace(
    marks,
    (_, escaped?: string, ticks = '', words?: string, link?: string, address?: string) => {
      const quoted = code === 'quoted' && words !== undefined ? `${ticks}${words}${ticks}` : words;
      return escaped ?? quoted ?? link ?? address ?? '';
    },
  );
}

export function linesOf(text: string): string[] {
  return (text.startsWith('\uFEFF') ? text.slice(1) : text).split(/\r\n|\n|\r/);
}
