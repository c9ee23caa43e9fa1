import { plural } from '../../../core/plural.js';
import {
  type ChangedLines,
  cannotFail,
  type DiffLine,
  type Doubt,
  isSettings,
  isTestFile,
  limitsIn,
  purposeOf,
  snapshots,
  strictElsewhere,
  switches,
  type WholeDiff,
} from './changed-lines.js';

export function checkDoubts(changed: ChangedLines, whole: WholeDiff): Doubt[] {
  const { path, status } = changed.file;
  const lines = changed.hunks.flat();
  const found = [
    ...switchedOff(path, lines, whole),
    ...lowered(path, lines),
    ...removedSteps(path, lines, whole),
    ...(snapshots.test(path) ? rewritten(lines, whole) : []),
  ];
  // settings that are new cannot have been stricter before
  const isNew = isSettings(path) && (status === 'new' || status === 'copied');
  return isNew ? found.map((doubt) => ({ ...doubt, severity: 'minor' })) : found;
}

type Lines = readonly DiffLine[];

export function suppressions({ files, removed }: WholeDiff): Map<ChangedLines, Doubt[]> {
  const before = new Map<string, number>();
  const added = files.flatMap((changed) =>
    changed.hunks.flat().flatMap((at) => {
      const tokens = tokensOf(changed, at);
      if (at.sign === '-')
        for (const token of tokens) before.set(token, (before.get(token) ?? 0) + 1);
      return at.sign === '+' ? tokens.map((token) => ({ changed, at, token })) : [];
    }),
  );
  const isMoved = ({ at }: (typeof added)[number]): boolean => removed.has(at.text.trim());
  const doubts = new Map<ChangedLines, Doubt[]>();
  // what moved is not new, so it comes first
  for (const one of [...added.filter(isMoved), ...added.filter((one) => !isMoved(one))]) {
    const { changed, at, token } = one;
    const left = before.get(token) ?? 0;
    before.set(token, left - 1);
    if (left > 0) continue;
    const found = doubts.get(changed) ?? [];
    found.push({ at, description: `"${token}" makes a check overlook this code` });
    doubts.set(changed, found);
  }
  return doubts;
}

function tokensOf({ file, language }: ChangedLines, { code, comment }: DiffLine): string[] {
  if (language === undefined) return [];
  const annotation = code.trimStart().startsWith('@') ? code.trim() : '';
  const tokens = [comment, annotation].flatMap((text) => text.match(language.suppresses) ?? []);
  // tests expect errors of types on purpose
  return language.tests.test(file.path) ? tokens.filter((one) => !/expect/.test(one)) : tokens;
}

function switchedOff(path: string, lines: Lines, { removed }: WholeDiff): Doubt[] {
  const added = lines.filter(({ sign, text }) => sign === '+' && !removed.has(text.trim()));
  const off = switches.flatMap(([what, pattern, ...files]) => {
    if (!files.some((kind) => kind.test(path))) return [];
    const keyOf = ({ code }: DiffLine) => pattern.exec(code)?.slice(1).find(Boolean);
    const before = new Set(lines.filter(({ sign }) => sign === '-').map(keyOf));
    return added.flatMap((at): Doubt[] => {
      const key = keyOf(at);
      if (key === undefined || before.has(key)) return [];
      return [{ at, description: `${what}: ${key.slice(0, 100)}` }];
    });
  });
  const passing = added.filter(({ code }) => cannotFail(path, code));
  return [...off, ...passing.map((at) => ({ at, description: 'a check cannot fail' }))];
}

function lowered(path: string, lines: Lines): Doubt[] {
  const limits = lines.flatMap((at) => limitsIn(path, at.code).map((one) => ({ ...one, at })));
  const after = new Map<string, typeof limits>();
  for (const one of limits.filter(({ at }) => at.sign === '+').reverse())
    after
      .set(one.key, after.get(one.key) ?? [])
      .get(one.key)
      ?.push(one);
  const isStrict = lines.some(({ sign, code }) => sign === '+' && strictElsewhere.test(code));
  const before = limits.filter(({ at }) => at.sign === '-');
  const less = before.flatMap(({ at, key, value, number }): Doubt[] => {
    const next = after.get(key)?.pop();
    if (next === undefined && isStrict) return [];
    if (next !== undefined && next.number >= number) return [];
    const now = next === undefined ? 'gone' : `${next.value} now`;
    return [{ at: next?.at ?? at, description: `less strict: ${key} was ${value}, and is ${now}` }];
  });
  const off = [...after.values()].flat().filter(({ value }) => /false/i.test(value));
  return [...less, ...off.map(({ at, key }) => ({ at, description: `a check is off: ${key}` }))];
}

function removedSteps(path: string, lines: Lines, { purposes }: WholeDiff): Doubt[] {
  const told = new Set(purposes);
  return lines.flatMap((at): Doubt[] => {
    const purpose = at.sign === '-' ? purposeOf(path, at.code) : undefined;
    if (purpose === undefined || told.has(purpose)) return [];
    told.add(purpose);
    return [{ at, description: `a command that runs ${purpose} was removed` }];
  });
}

/** Returns whether what tests expect was rewritten. A change of code may be the reason. */
function rewritten(lines: Lines, { files }: WholeDiff): Doubt[] {
  const removed = lines.filter(({ sign }) => sign === '-');
  const [at] = removed;
  if (at === undefined) return [];
  const hasReason = files.some(({ file, language }) => language && !isTestFile(file.path));
  const why = hasReason ? '' : ', and no code changed';
  const description = `${plural(removed.length, 'line')} of what tests expect changed${why}`;
  return [{ at, description, severity: hasReason ? 'minor' : undefined }];
}
