/**
 * Puts untrusted text where it stays text: between markers that carry the run's nonce, which its author cannot know.
 *
 * @param label - What it is, for example a path; line breaks and angle brackets are taken out.
 */
export function fence(label: string, text: string, nonce: string): string {
  return `${opening(label, nonce)}\n${text}\n${closing(nonce)}`;
}

/** One fenced text of a prompt. */
export interface FencedText {
  readonly label: string;
  readonly text: string;
}

/** The fenced texts of a prompt, in order; for tests, and for judges that read. Only pairs with the same nonce count. */
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
