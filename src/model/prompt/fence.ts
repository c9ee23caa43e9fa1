/**
 * Returns untrusted text between markers. The markers contain the nonce of the run, so that the
 * author of the text cannot forge them.
 *
 * @example
 * ```ts
 * const prompt = `Is this clear?\n${fence('README.md', text, context.nonce)}`;
 * ```
 *
 * @param label - What the text is, for example a path. Line breaks and angle brackets become
 *   spaces.
 */
export function fence(label: string, text: string, nonce: string): string {
  return `${opening(label, nonce)}\n${text}\n${closing(nonce)}`;
}

/** One fenced text of a prompt. */
export interface FencedText {
  readonly label: string;
  readonly text: string;
}

/**
 * Returns the fenced texts of a prompt, in order; for tests and fake models. Only markers with the
 * same nonce form a pair.
 */
export function readFences(prompt: string): readonly FencedText[] {
  const found: FencedText[] = [];
  const open = /^<<<UNTRUSTED ([0-9a-zA-Z-]+) (.*)>>>$/gm;
  for (let match = open.exec(prompt); match !== null; match = open.exec(prompt)) {
    const [line, nonce = '', label = ''] = match;
    const start = match.index + line.length + 1;
    const end = prompt.indexOf(`\n${closing(nonce)}`, start - 1);
    if (end < 0) continue;
    found.push({ label, text: prompt.slice(start, Math.max(start, end)) });
    open.lastIndex = end;
  }
  return found;
}

function opening(label: string, nonce: string): string {
  return `<<<UNTRUSTED ${nonce} ${label.replace(/[\r\n\u0085\u2028\u2029<>]/g, ' ')}>>>`;
}

function closing(nonce: string): string {
  return `<<<END ${nonce}>>>`;
}
