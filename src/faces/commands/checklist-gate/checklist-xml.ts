export function entityResult(
  { id, version }: { readonly id: string; readonly version: number },
  operation: string,
): string {
  return [
    '<entity_result>',
    `  <id>${escaped(id)}</id>`,
    `  <version>${version}</version>`,
    `  <operation>${operation}</operation>`,
    '</entity_result>',
  ].join('\n');
}

export function checklistError(message: string): string {
  return ['<qr_cli_error>', `  <message>${escaped(message)}</message>`, '</qr_cli_error>'].join(
    '\n',
  );
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
