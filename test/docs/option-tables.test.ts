import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Tables of options: the page, the text before the table, the source, and its interface. */
const tables = [
  ['task-review', '## Options', 'products/task-review/task-review-options', 'TaskReviewOptions'],
  ['checklist-gate', '## Options', 'products/checklist-gate/gate-settings', 'ChecklistGateOptions'],
  ['quality-gate', '## Options', 'products/quality-gate/gate-options', 'QualityGateOptions'],
  ['learning', '| `fileLessons(path', 'blocks/lessons/lesson-store', 'LessonOptions'],
  ['pipeline', '## Options', 'blocks/pipeline/pipeline-options', 'PipelineOptions'],
  ['file-store', 'again.', 'adapters/stores/file/file-store', 'FileStoreOptions'],
  ['sqlite-store', 'should use it.', 'adapters/stores/sqlite/sqlite-store', 'SqliteStoreOptions'],
  [
    'postgres-store',
    'returns `{ rows }`.',
    'adapters/stores/postgres/postgres-store',
    'PostgresStoreOptions',
  ],
  ['command', '## Options', 'blocks/reviewers/command/command-options', 'CommandOptions'],
  [
    'workspace',
    'without times.',
    'adapters/stores/workspace/folder-workspace',
    'FolderWorkspaceOptions',
  ],
] as const;

/** The members of an interface with the default that their comment names. */
function membersOf(source: string, name: string): Map<string, string | undefined> {
  const from = source.search(new RegExp(`export interface ${name}\\b`));
  const body = source.slice(from, source.indexOf('\n}', from));
  const members = new Map<string, string | undefined>();
  const member = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?^ {2}(?:readonly )?(\w+)\??:/gm;
  for (const [, comment = '', option = ''] of body.matchAll(member))
    members.set(option, /@default ([^\n]*)/.exec(comment)?.[1]?.trim());
  return members;
}

/** The options of a table with the text of their row. */
function rowsOf(page: string, before: string): Map<string, string> {
  const start = page.indexOf('\n| option', page.indexOf(before));
  const table = page.slice(start, page.indexOf('\n\n', start + 1));
  const rows = new Map<string, string>();
  for (const line of table.split('\n').slice(3))
    for (const [, option = ''] of (line.split('|')[1] ?? '').matchAll(/`(\w+)`/g))
      rows.set(option, line);
  return rows;
}

/** A number, a truth value or a quoted word; other defaults are described in words. */
const plain = /^(-?\d+(\.\d+)?|true|false|'[^']*')$/;

it.each(tables)(
  'the table of options of %s.md agrees with its type [R2-107]',
  (page, before, file, name) => {
    const text = read(`docs/blocks/${page}.md`);
    const members = membersOf(read(`src/${file}.ts`), name);
    const rows = rowsOf(text, before);
    expect(members.size).toBeGreaterThan(1);
    expect(rows.size).toBeGreaterThan(1);
    for (const [option, preset] of members) {
      expect(text, `${page}.md does not name ${option}`).toMatch(new RegExp(`\`${option}\``));
      const row = rows.get(option);
      if (preset === undefined || row === undefined || !plain.test(preset)) continue;
      const shown = row.replaceAll(/(?<=\d)[ ,](?=\d{3})/g, '').replaceAll('`', '');
      const minutes = Number(preset) / 60_000;
      const texts = [
        preset.replaceAll("'", ''),
        ...(minutes >= 1 ? [`${minutes} minute`, `${Number(preset) / 2 ** 20} MiB`] : []),
      ];
      expect(
        texts.some((one) => shown.includes(one)),
        `${page}.md: ${row}, not ${preset}`,
      ).toBe(true);
    }
    const source = read(`src/${file}.ts`);
    for (const option of rows.keys())
      expect(
        members.has(option) ||
          new RegExp(`['"\`]${option}['"\`]`).test(source) ||
          option === 'logger',
        `${page}.md names ${option}, which ${name} does not have`,
      ).toBe(true);
  },
);
