import type { Document, YAMLMap } from 'yaml';
import type { ListedRequirement } from './requirement-list.js';
import type { RequirementsFile } from './requirements-file.js';

/**
 * Returns the text of a requirements file.
 *
 * @param before - The text of the file to change. Its comments and the order of keys stay.
 * @default a new file with comments that explain it
 */
export async function requirementsText(
  { task, digest, requirements }: RequirementsFile,
  before = newFile(task),
): Promise<string> {
  const { isMap, isSeq, parseDocument, YAMLMap: NewMap } = await import('yaml');
  const document = parseDocument(before, { schema: 'failsafe' });
  const entries = document.get('requirements');
  const old = isSeq(entries) ? entries.items.filter((item) => isMap(item)) : [];
  document.set('task', task);
  document.set('digest', digest);
  const list = isSeq(entries) ? entries : document.createNode([]);
  list.flow = false;
  list.items = requirements.map((one, index) => {
    const known = old.find((node) => String(node.get('id')) === one.id);
    const node = known ?? new NewMap(document.schema);
    node.spaceBefore = index > 0;
    for (const [key, value] of valuesOf(one)) setText(document, node, { key, value });
    return node;
  });
  document.set('requirements', list);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function valuesOf(one: ListedRequirement): (readonly [string, string | undefined])[] {
  return [
    ['id', one.id],
    ['text', one.text],
    ['strength', one.strength],
    ['line', one.line === undefined ? undefined : String(one.line)],
    ['sentence', one.sentence],
    ['whole', one.whole === true ? 'true' : undefined],
  ];
}

/** Sets a text unless it says the same, so that its quotes and comments stay. */
function setText(
  document: Document,
  node: YAMLMap,
  { key, value }: { readonly key: string; readonly value: string | undefined },
): void {
  const before = node.get(key);
  if (value === undefined) return;
  if (typeof before === 'string' && before.replace(/\s+/g, ' ').trim() === value) return;
  node.set(key, document.createNode(value));
}

function newFile(task: string): string {
  const name = task.replace(/\s+/g, ' ');
  return `# The requirements of ${name}. \`reviewloop review\` judges exactly this list.
#
# Edit it and commit it. Change a text, delete an entry, or add one with a new id.
# strength: MUST blocks approval until it is satisfied, SHOULD and MAY count less,
#           OUT is left out on purpose: nobody judges it.
# line and sentence say where an entry was read. Leave them, so that your changes survive
#   reviewloop requirements ${name.includes(' ') ? `'${name}'` : name} --write --force
version: 1
task: x
digest: x
requirements: []
`;
}
