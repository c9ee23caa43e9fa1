/** Returns the statement that adds how many calls of a day have an unknown cost. */
export function unknownCostColumn(s: string): string {
  return `ALTER TABLE ${s}.spending ADD COLUMN unknown_calls bigint NOT NULL DEFAULT 0;`;
}
