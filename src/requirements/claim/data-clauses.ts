import type { ClaimedProperty } from './claim.js';
import type { Kind } from './kinds.js';
import type { ReadClause } from './number-clauses.js';
import { type NamedPlace, readPlaceNoun, wholePlace } from './place-words.js';
import { readModal } from './verbs.js';
import type { WordReader } from './word-reader.js';

/** Reads "config.json must be valid JSON" and "All YAML files must be valid". */
const valid: ReadClause = (reader) => {
  const files = readFiles(reader);
  const obligation = files && readModal(reader);
  if (files === undefined || obligation?.negated === true) return undefined;
  const verb = obligation === undefined ? 'is|are' : 'be|contain';
  if (reader.take(verb) === undefined) return undefined;
  if (reader.take('a valid|valid|well formed|parseable|parsable') === undefined) return undefined;
  const property = readFormat(reader) ?? files.property;
  if (property === undefined || (files.property ?? property) !== property) return undefined;
  reader.take('files?|documents?');
  return [{ about: 'property', kind: files.kind, property, place: wholePlace(files.place) }];
};

/** The forms of sentences about the validity of data. */
export const dataClauses: readonly ReadClause[] = [valid];

interface DataFiles {
  readonly kind: Kind;
  readonly place: NamedPlace;
  readonly property?: ClaimedProperty | undefined;
}

function readFiles(reader: WordReader): DataFiles | undefined {
  const format = reader.attempt(() => {
    reader.take('every|each|all the|all|the');
    const named = readFormat(reader);
    return named !== undefined && reader.take('files?') !== undefined ? named : undefined;
  });
  if (format !== undefined)
    return { kind: `${format}-file`, place: { files: 'all', over: 'each' }, property: format };
  const place = readPlaceNoun(reader);
  if (place?.part !== undefined || place?.files === undefined) return undefined;
  return { kind: 'file', place, property: formatOf(place) };
}

function readFormat(reader: WordReader): 'json' | 'yaml' | undefined {
  const word = reader.take('json|ya?ml');
  return word === undefined ? undefined : word === 'json' ? 'json' : 'yaml';
}

/** Returns the format that the name of a file states. */
function formatOf({ files }: NamedPlace): ClaimedProperty | undefined {
  if (typeof files !== 'object') return undefined;
  if (/\.json$/i.test(files.path)) return 'json';
  return /\.ya?ml$/i.test(files.path) ? 'yaml' : undefined;
}
