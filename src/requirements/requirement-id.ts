const id =
  '(?:N?FR|NFR|REQ|AC|US|SR|BR|UR|UC|FEAT)(?:[-_.][A-Z\\d]{1,12}){0,3}[-_.]?\\d{1,4}[a-z]?';
const whole = new RegExp(`^[*\`]*${id}[*\`]*$`, 'i');
const first = new RegExp(`^[*_\`[(]*${id}[\\])*_\`]*\\s*(?:[:：.)]|[-–—])?[*_]*\\s+(?=\\S)`);

/** Returns whether a cell is the identifier of a requirement: "REQ-12". */
export function isRequirementId(cell: string): boolean {
  return whole.test(cell);
}

/** Returns the words after the identifier of a requirement: "Show the list" in "REQ-12: Show the list". */
export function afterRequirementId(text: string): string | undefined {
  const [mark] = first.exec(text.slice(0, 80)) ?? [];
  return mark === undefined ? undefined : text.slice(mark.length);
}
