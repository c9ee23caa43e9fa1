import { parseDocument } from 'yaml';
import { ReviewLoopError } from '../core/errors.js';
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
  const document = parseDocument(source, {
    prettyErrors: true,
    ...(json && { schema: 'json', strict: true }),
  });
  const [error] = document.errors;
  if (error !== undefined)
    throw invalid(
      `${shown}:${error.linePos?.[0].line ?? 1}: ${error.message.split('\n')[0]}`,
      error,
    );
  if (!json) return document.toJS({ maxAliasCount: 100 }) ?? {};
  try {
    return JSON.parse(source);
  } catch (cause) {
    throw invalid(`${shown}: ${cause instanceof Error ? cause.message : 'not JSON'}`, cause);
  }
}

function invalid(what: string, cause: unknown): ReviewLoopError {
  return new ReviewLoopError(configErrors.config_invalid, what, { cause });
}
