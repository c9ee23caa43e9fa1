import { LineCounter, parseDocument } from 'yaml';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { deepestData, nestsTooDeeply } from '../text/nests-too-deeply.js';
import { configErrors } from './errors.js';

/**
 * Parses a JSON or YAML text.
 *
 * @throws ReviewLoopError `config_invalid` that names file and line
 */
export function parseData(
  text: string,
  { shown, json }: { readonly shown: string; readonly json: boolean },
): unknown {
  const source = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (nestsTooDeeply(source))
    throw invalid(`${shown}: it is nested deeper than ${deepestData} levels`, undefined);
  const lineCounter = new LineCounter();
  const document = parseDocument(source, {
    lineCounter,
    // a picture of the place of each error takes quadratic time
    prettyErrors: false,
    ...(json && { schema: 'json', strict: true }),
  });
  const [error] = document.errors;
  if (error !== undefined)
    throw invalid(
      `${shown}:${lineCounter.linePos(error.pos[0]).line}: ${error.message.split('\n')[0]}`,
      error,
    );
  try {
    return json ? JSON.parse(source) : (document.toJS({ maxAliasCount: 100 }) ?? {});
  } catch (cause) {
    throw invalid(`${shown}: ${messageOf(cause)}`, cause);
  }
}

function invalid(what: string, cause: unknown): ReviewLoopError {
  return new ReviewLoopError(configErrors.config_invalid, what, { cause });
}
