import { dirname, relative, resolve } from 'node:path';
import { type ParseError, parse } from 'jsonc-parser';
import * as z from 'zod';
import { ReviewLoopError } from '../core/errors.js';
import { checkedData } from '../text/schema-problems.js';
import { configErrors } from './errors.js';
import { readConfig } from './read-config.js';

/** The words in a settings file of CSpell. */
export interface SpellingSettings {
  readonly words: readonly string[];
  readonly wrongWords: readonly string[];
  /** The members of the file that are not read. */
  readonly ignored: readonly string[];
}

const list = z.array(z.string()).optional();
const SettingsSchema = z.looseObject({
  words: list,
  userWords: list,
  ignoreWords: list,
  flagWords: list,
});
/** Members that are read, or that say nothing about words. */
const harmless =
  /^(?:words|userWords|ignoreWords|flagWords|version|\$schema|name|id|description|readonly)$/;

/**
 * Reads the words in a settings file of CSpell. Files that are code, and files that it imports, are
 * never run.
 *
 * @throws ReviewLoopError `config_invalid`, `config_unreadable`
 */
export async function loadSpellingSettings(
  cwd: string,
  path: string,
  configFile: string | undefined,
): Promise<SpellingSettings> {
  const file = resolve(dirname(resolve(cwd, configFile ?? 'reviewloop.config.js')), path);
  const shown = relative(cwd, file) || file;
  const form = /\.(?:(jsonc?)|ya?ml)$/i.exec(file);
  if (form === null)
    throw new ReviewLoopError(
      configErrors.config_invalid,
      `\`spelling.settings\` must be a JSON or YAML file, got ${shown}; settings in code are not run`,
      { value: shown },
    );
  const text = await readConfig(file, { shown: `\`spelling.settings\` ${shown}` });
  const data =
    form[1] === undefined
      ? (await import('./parse-data.js')).parseData(text, { shown, json: false })
      : commentedJson(text, shown);
  const checked = checkedData(SettingsSchema, data);
  if (!checked.success)
    throw new ReviewLoopError(
      configErrors.config_invalid,
      checked.problems.map(({ what }) => `${shown}: ${what}`).join('; '),
      { cause: checked.cause, value: shown },
    );
  const { words = [], userWords = [], ignoreWords = [], flagWords = [] } = checked.data;
  const right = [...words, ...userWords, ...ignoreWords];
  return {
    words: right.filter((word) => !word.startsWith('!')).flatMap(withoutMarks),
    wrongWords: [...right.filter((word) => word.startsWith('!')), ...flagWords].flatMap(
      withoutMarks,
    ),
    ignored: Object.keys(checked.data).filter((name) => !harmless.test(name)),
  };
}

/** Returns the word of an entry such as `+word*` or `wrong->right`. */
function withoutMarks(entry: string): string[] {
  const word = /^[!+*~]*([^+*]*)/.exec(entry.split(/->|:/)[0] ?? '')?.[1]?.trim() ?? '';
  return /\p{L}/u.test(word) ? [word] : [];
}

function commentedJson(text: string, shown: string): unknown {
  const errors: ParseError[] = [];
  const data: unknown = parse(text.replace(/^\ufeff/, ''), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error === undefined) return data;
  const line = text.slice(0, error.offset).split('\n').length;
  throw new ReviewLoopError(configErrors.config_invalid, `${shown}:${line}: it is not valid JSON`, {
    value: shown,
  });
}
