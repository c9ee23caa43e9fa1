/**
 * The start of a line, and white space, before a workflow command. A runner reads lines that end
 * with any of these characters, and ignores white space before a command.
 */
const commandStart =
  /(^|[\n\r\v\f\u0085\u2028\u2029])((?:[^\S\n\r\v\f\u2028\u2029]|[\u180e\u200b])*):(?=:)/g;

/**
 * Returns a text in which a GitHub runner finds no workflow command, wherever its output is shown:
 * `::` at the start of a line and `##[` are escaped. In JSON, the value stays the same.
 *
 * @example
 * ```ts
 * withoutCommands('::add-mask::secret'); // \u003a:add-mask::secret
 * ```
 */
export function withoutCommands(text: string): string {
  return text.replace(commandStart, '$1$2\\u003a').replaceAll('##[', '##\\u005b');
}

export function commandData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

export function commandProperty(text: string): string {
  return commandData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
