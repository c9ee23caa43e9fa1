import { plural } from '../../../core/plural.js';
import {
  type ChangedLines,
  type DiffLine,
  type Doubt,
  isTestFile,
  type Language,
  namesIn,
  sideOf,
  testsOn,
  type WholeDiff,
  withoutStrings,
} from './changed-lines.js';

type TestHunk = ReturnType<typeof readHunk>;

export function testDoubts({ file, language, hunks }: ChangedLines, whole: WholeDiff): Doubt[] {
  if (!isTestFile(file.oldPath ?? file.path)) return [];
  if (language === undefined || !isTestFile(file.path)) {
    const at = hunks[0]?.[0] ?? { sign: ' ', line: 1, text: file.path, code: '', comment: '' };
    return [{ at, description: `${file.oldPath} was a test file before it was renamed` }];
  }
  const read = hunks.map((lines) => readHunk(lines, language, whole));
  const gained = read.flatMap((hunk) => hunk.gained).length;
  const isRewritten = gained > 0 && gained >= read.flatMap((hunk) => hunk.lost).length;
  const isTable = hunks.flat().some(({ sign, code }) => sign === '+' && tables.test(code));
  return read.flatMap((hunk) => {
    const deleted = isRewritten ? [] : deletedTests(hunk, whole, isTable);
    const [lost] = isRewritten || deleted.length + hunk.gained.length > 0 ? [] : hunk.lost;
    const description = `${plural(hunk.lost.length, 'assertion')} removed`;
    return [
      ...deleted,
      ...(lost === undefined ? [] : [{ at: lost, description }]),
      ...weakened(hunk),
      ...skipped(hunk, whole),
      ...emptied(hunk),
    ];
  });
}

const helpers =
  /\b(?:expect|assert|verify|validate|check|should|must|require|ensure|fail|raises|warns)\w*\b|\.(?:Error|Fatal)f?\(/i;

function readHunk(lines: readonly DiffLine[], language: Language, whole: WholeDiff) {
  const kept = new Set(lines.flatMap(({ sign, text }) => (sign === ' ' ? [text.trim()] : [])));
  const asserts = (side: '+' | '-', elsewhere: ReadonlySet<string>, pattern: RegExp): DiffLine[] =>
    lines.filter(
      ({ sign, code, text }) =>
        sign === side &&
        pattern.test(withoutStrings(code)) &&
        !language.constant.test(code) &&
        !elsewhere.has(text.trim()) &&
        !kept.has(text.trim()),
    );
  const after = testsOn(sideOf(lines, '+'), language);
  return {
    ...{ lines, language, before: testsOn(sideOf(lines, '-'), language), after },
    // the tests that are new
    fresh: after.filter(({ at, title }) => at.sign === '+' && !whole.removedTests.has(title)),
    // removed assertions that stand nowhere else now, and added ones that can fail
    lost: asserts('-', whole.added, language.asserts),
    gained: asserts('+', whole.removed, helpers),
  };
}

const tables =
  /\.each\b|\bparametrize\(|@(?:Parameterized|MethodSource|ValueSource)|\bt\.Run\([^"`]/;

const sameNames = { share: 0.7, least: 5 };

/** Neither moved, nor renamed, nor joined. */
function deletedTests(hunk: TestHunk, { added, addedNames, gone }: WholeDiff, isTable: boolean) {
  const { language, lines, before, fresh } = hunk;
  const isJoined = lines.some(({ sign, code }) => sign === '+' && language.manyCases.test(code));
  if (fresh.length > 0 && isJoined) return [];
  const side = sideOf(lines, '-');
  const lost = before
    .map(({ at, title, index }, place) => {
      const body = side.slice(index, before[place + 1]?.index);
      const asserts = body.filter(({ code }) => language.asserts.test(code));
      const isMoved = asserts.length > 0 && asserts.every(({ text }) => added.has(text.trim()));
      const names = new Set(body.flatMap(({ code }) => namesIn(code)));
      return { at, title, names, isKept: isMoved || addedNames.has(title) };
    })
    .filter(({ at, isKept }) => at.sign === '-' && !isKept)
    .slice(fresh.length)
    .map(({ at, title, names }) => {
      const own = [...names].filter((name) => name.length > 3 && !vocabulary.test(name));
      const share = own.filter((name) => addedNames.has(name)).length / own.length;
      const isAnew = isTable || (own.length >= sameNames.least && share >= sameNames.share);
      const isGone = [...names].some((name) => gone.has(name));
      const why = isGone ? ' with code that it names' : ', and written anew perhaps';
      return { at, title, why: isGone || isAnew ? why : '' };
    });
  return [...new Set(lost.map(({ why }) => why))].flatMap((why): Doubt[] => {
    const tests = lost.filter((test) => test.why === why);
    const [first] = tests;
    if (first === undefined) return [];
    const titles = tests.map(({ title }) => title.slice(0, 100)).join(', ');
    const description = `${plural(tests.length, 'test')} deleted${why}: ${titles.slice(0, 300)}`;
    const text = tests.map(({ at }) => at.text).join('\n');
    const severity = why === '' ? undefined : 'minor';
    return [{ at: { ...first.at, text }, description, severity }];
  });
}

const mostCompared = 50;

function weakened({ language, lines, lost, gained }: TestHunk): Doubt[] {
  const added = lines.filter(({ sign, code }) => sign === '+' && language.asserts.test(code));
  const constant = added.filter(({ code }) => lost.length > 0 && language.constant.test(code));
  const isStrong = ({ code }: DiffLine) => !language.weak.test(code);
  const stronger = lost.filter(isStrong);
  const isLess = gained.filter(isStrong).length < stronger.length;
  const subjects = stronger
    // what asserts the truth of a value may become shorter
    .filter(({ code }) => !/\b(?:true|false)\b/i.test(code))
    .slice(0, mostCompared)
    .map(({ code }) => new Set(namesIn(code)));
  const weaker = gained.filter((line) => {
    if (!isLess || isStrong(line)) return false;
    const names = namesIn(line.code).filter((name) => !vocabulary.test(name));
    return names.length > 0 && subjects.some((subject) => names.every((name) => subject.has(name)));
  });
  return [
    ...constant.map((at) => ({ at, description: 'an assertion cannot fail' })),
    ...weaker.map((at) => ({ at, description: 'an assertion is weaker than the one it replaces' })),
  ];
}

/** Words of assertions, which are not what is asserted. */
const vocabulary =
  /^(?:expect|assert\w*|require|to|be|to[A-Z]\w*|not|is|is[A-Z]\w*|self|t|ok|None|null|nil|undefined|[Tt]rue|[01]|Not\w+|NoError|Error|pytest|raises|with|Exception|BaseException|should|exist)$/;

function skipped({ language, lines, fresh }: TestHunk, { removed }: WholeDiff): Doubt[] {
  const isSkip = ({ code }: DiffLine) => language.skips.test(code);
  const isUsual = ({ code }: DiffLine) => language.usualSkips.test(code);
  const skips = lines.filter((line) => isSkip(line) || isUsual(line));
  const added = skips
    .filter(({ sign, text }) => sign === '+' && !removed.has(text.trim()))
    .slice(skips.filter(({ sign }) => sign === '-').length);
  // a new test may wait for a platform
  const usual = added.filter((line) => !isSkip(line)).slice(fresh.length);
  return [...added.filter(isSkip), ...usual].map((at) => {
    const only = /\bonly\b|\bf(?:it|describe)\(/.test(at.code);
    return { at, description: only ? 'only some tests run' : 'a test is skipped' };
  });
}

/** A whole test that does nothing, and the first line of a longer one. */
const emptyTest =
  /(?:=>|\))\s?(?:throws [\w, ]{1,80})?\{\s?\}\s?\)?;?$|\):\s?(?:pass|return|\.\.\.)$/;
const nothing = /^\s*(?:pass|return;?|\.\.\.)\s*$/;

function emptied({ lines, after, fresh }: TestHunk): Doubt[] {
  const side = sideOf(lines, '+');
  const isFresh = new Set(fresh);
  return after.flatMap((test): Doubt[] => {
    const { at, index, title } = test;
    const first = side[index + 1];
    const isEmpty = at.sign === '+' && emptyTest.test(at.code.trim());
    const returns = first?.sign === '+' && nothing.test(first.code);
    if (!(isEmpty || returns) || isFresh.has(test)) return [];
    const description = `a test does nothing now: ${title.slice(0, 100)}`;
    return [{ at: isEmpty ? at : (first ?? at), description }];
  });
}
