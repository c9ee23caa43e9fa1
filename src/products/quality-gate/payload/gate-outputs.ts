import { ReviewLoopError } from '../../../core/errors.js';
import { hashText } from '../../../core/hash.js';
import { canonicalJson } from '../../../core/json.js';
import { digestFiles } from '../../../node/copied-files.js';
import { nameIn, placeIn, type Root } from '../../../node/inside-root.js';
import { gateErrors } from '../errors.js';

export type OutputType = 'file' | 'files' | 'string';

/** The outputs of a step by name: a path, a list of paths, or a text. */
export type GateOutputs = Readonly<Record<string, string | readonly string[]>>;

/** An output without a type is `files` for a list, else `file`. */
export type OutputTypes = Readonly<Record<string, OutputType>>;

export interface GateOutput {
  readonly name: string;
  readonly type: OutputType;
  /** Empty for a text. */
  readonly paths: readonly string[];
  /** Empty for files. */
  readonly text: string;
}

/** They keep the order of the input. */
export function outputsOf(outputs: GateOutputs, types: OutputTypes = {}): readonly GateOutput[] {
  if (typeof outputs !== 'object' || outputs === null || Array.isArray(outputs))
    throw refused('outputs must be an object of names and paths', outputs);
  return Object.entries(outputs).map(([name, value]) => {
    const type = Object.hasOwn(types, name) ? types[name] : Array.isArray(value) ? 'files' : 'file';
    return outputOf(name, type, value);
  });
}

function outputOf(name: string, type: OutputType | undefined, value: unknown): GateOutput {
  switch (type) {
    case 'file':
      if (!isPath(value)) throw refused(`output ${name} is a file and needs one path`, value);
      return { name, type, paths: [value], text: '' };
    case 'files':
      if (!Array.isArray(value) || !value.every(isPath))
        throw refused(`output ${name} is a list of files and needs paths`, value);
      return { name, type, paths: value, text: '' };
    case 'string':
      if (typeof value !== 'string')
        throw refused(`output ${name} is a text and needs a string`, value);
      return { name, type, paths: [], text: value };
    default:
      throw refused(
        `output ${name} has the unknown type ${String(type)}; use file, files or string`,
        type,
      );
  }
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function refused(what: string, value: unknown): ReviewLoopError {
  return new ReviewLoopError(gateErrors.gate_output_invalid, what, { value });
}

/**
 * The contents of the files are part of it; the order of outputs and files, and the way a path is
 * written, are not.
 */
export async function digestOutputs(outputs: readonly GateOutput[], root: Root): Promise<string> {
  const parts: Record<string, unknown> = {};
  for (const { name, type, paths, text } of outputs) {
    const files = [...new Set(paths.map((path) => nameIn(root, path)))].sort();
    parts[`output ${name}`] = [type, text, files, await digestFiles(files, root)];
  }
  return hashText(canonicalJson(parts));
}

export function missingFiles(outputs: readonly GateOutput[], root: Root): readonly string[] {
  return outputs.flatMap(({ paths }) => paths.filter((path) => !placeIn(root, path).exists));
}

/** They still exist, but their file is not among those of now. */
export function leftOutFiles(
  earlier: readonly string[],
  now: string | readonly string[],
  root: Root,
): readonly string[] {
  const places = new Set([now].flat().map((path) => placeIn(root, path).path));
  return earlier.filter((path) => {
    const { path: place, exists } = placeIn(root, path);
    return exists && !places.has(place);
  });
}
