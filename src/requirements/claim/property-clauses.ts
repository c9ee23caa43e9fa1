import type { ClaimedProperty, PropertyClaim } from './claim.js';
import { type Kind, kindNames } from './kinds.js';
import type { ReadClause } from './number-clauses.js';
import { type NamedPlace, readPlace, wholePlace } from './place-words.js';
import { readModal } from './verbs.js';
import type { WordReader } from './word-reader.js';

interface NamedProperty {
  readonly property: ClaimedProperty;
  readonly of: RegExp;
  readonly words: string;
}

const fields =
  /^(?:field|input|textarea|select|checkbox|radio-button|(?:email|password|search|date)-field)$/;

/** The properties, with the kinds that have them and with their words. */
const properties: readonly NamedProperty[] = [
  {
    property: 'alt',
    of: /^image$/,
    words:
      '(?:an? )?(?:alt text|alt attribute|text alternative|alternative text)|(?:alt|alternative) texts|alt attributes|text alternatives',
  },
  {
    property: 'name',
    of: new RegExp(`^(?:link|button)$|${fields.source}`),
    words: '(?:an? )?(?:discernible|accessible) (?:name|names|text)|a name|names',
  },
  { property: 'label', of: fields, words: '(?:an? )?(?:associated )?labels?' },
  {
    property: 'text',
    of: /^(?:link|button)$/,
    words: '(?:a )?(?:visible )?(?:text label|text|label)|(?:visible )?labels',
  },
];

interface Things {
  readonly kind: Kind;
  readonly place: NamedPlace;
}

/** Reads "Every image must have alt text" and "All form fields must be labelled". */
const eachHas: ReadClause = (reader) => {
  const things = readEach(reader);
  if (things === undefined) return undefined;
  const obligation = readModal(reader);
  if (obligation?.negated === true) return undefined;
  if (obligation !== undefined && reader.take('be labell?ed') !== undefined)
    return labelled(things);
  const verb = obligation === undefined ? 'has|have' : 'have|include|contain';
  return reader.take(verb) === undefined ? undefined : readProperty(reader, things);
};

/** Reads "No image without alt text" and "No field may lack a label". */
const noneLacks: ReadClause = (reader) => {
  const things = reader.take('no|avoid') === undefined ? undefined : readKind(reader, undefined);
  if (things === undefined) return undefined;
  reader.take('(?:may|must|should) be|may|must|should|is|are');
  return reader.take('without|lacks?|lacking') === undefined
    ? undefined
    : readProperty(reader, things);
};

/** Reads "Give every image alt text" and "Label all fields". */
const giveEach: ReadClause = (reader) => {
  const verb = reader.take('give|label');
  const things = verb === undefined ? undefined : readEach(reader);
  if (things === undefined) return undefined;
  return verb === 'label' ? labelled(things) : readProperty(reader, things);
};

/** Reads "Add alt text to all images" and "Alt text must be provided for all images". */
const propertyFirst: ReadClause = (reader) => {
  const isCommand = reader.take('add|provide|include|write') !== undefined;
  for (const { words, property, of } of properties) {
    const things = reader.attempt(() => {
      const isGiven = reader.take(words) !== undefined && (isCommand || readIsGiven(reader));
      return isGiven && reader.take('for|on|to') !== undefined ? readEach(reader) : undefined;
    });
    if (things !== undefined && of.test(things.kind)) return [claimFor(things, property)];
  }
  return undefined;
};

/** The forms of sentences about a property of all things of a kind. */
export const propertyClauses: readonly ReadClause[] = [eachHas, noneLacks, giveEach, propertyFirst];

function readIsGiven(reader: WordReader): boolean {
  return (
    readModal(reader)?.negated === false &&
    reader.take('be (?:provided|present|set|given|added|there)') !== undefined
  );
}

function labelled(things: Things): readonly PropertyClaim[] | undefined {
  return fields.test(things.kind) ? [claimFor(things, 'label')] : undefined;
}

/** Reads the property that fits the things. */
function readProperty(reader: WordReader, things: Things): readonly PropertyClaim[] | undefined {
  const found = properties.find(
    ({ of, words }) => of.test(things.kind) && reader.take(words) !== undefined,
  );
  return found && [claimFor(things, found.property)];
}

/** Reads all things of a kind: "every image", "all links on the page", or a plural. */
function readEach(reader: WordReader): Things | undefined {
  return reader.attempt(() => {
    if (reader.take('every|each') !== undefined) return readKind(reader, 'one');
    reader.take('all of the|all the|all|the');
    return readKind(reader, 'many');
  });
}

function readKind(reader: WordReader, number: 'one' | 'many' | undefined): Things | undefined {
  const noun = reader.lookUp(kindNames);
  if (noun === undefined || (number !== undefined && noun.number !== number)) return undefined;
  return { kind: noun.kind, place: readPlace(reader) ?? {} };
}

function claimFor({ kind, place }: Things, property: ClaimedProperty): PropertyClaim {
  return {
    about: 'property',
    kind,
    property,
    place: { ...wholePlace({ files: 'pages', ...place }), over: 'each' },
  };
}
