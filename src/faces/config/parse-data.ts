import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { deepestData, nestsTooDeeply } from '../../core/text/schema-problems.js';
import { configErrors, type Locate } from './errors.js';

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

export function locateIn(text: string): Locate {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  return (path) => {
    let node: unknown = document.contents;
    let offset: number | undefined;
    for (const step of path) {
      const found = childOf(node, step);
      if (found === undefined) break;
      offset = found.offset ?? offset;
      node = found.value;
    }
    return offset === undefined ? undefined : counter.linePos(offset).line;
  };
}

function childOf(
  node: unknown,
  step: PropertyKey,
): { readonly value: unknown; readonly offset: number | undefined } | undefined {
  if (isMap(node)) {
    const pair = node.items.find(
      ({ key }) => isScalar(key) && sameKey(String(key.value), String(step)),
    );
    return (
      pair && { value: pair.value, offset: isScalar(pair.key) ? pair.key.range?.[0] : undefined }
    );
  }
  if (isSeq(node) && typeof step === 'number') {
    const item = node.items[step];
    return item === undefined ? undefined : { value: item, offset: (item as Node).range?.[0] };
  }
  return undefined;
}

/** `step` is in camelCase, `written` may be in snake_case. */
function sameKey(written: string, step: string): boolean {
  return (
    written === step ||
    written.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) === step
  );
}

/** Returns the first line that seems to define the last key of the path. */
export function locateInCode(text: string): Locate {
  const lines = text.split('\n');
  return (path) => {
    const key = path.findLast((step) => typeof step === 'string');
    if (key === undefined) return undefined;
    const found = lines.findIndex((line) =>
      new RegExp(`(^|[\\s{,'"])${key.replace(/[^\w]/g, '\\$&')}['"]?\\s*[:(,]`).test(line),
    );
    return found === -1 ? undefined : found + 1;
  };
}
