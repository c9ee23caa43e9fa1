import { ReviewLoopError } from '../../core/errors.js';
import { gateErrors } from '../errors.js';

/** What a step makes: one file, several, or a text that stands for itself. */
export type OutputType = 'file' | 'files' | 'string';

/** What a step made, by the name of the output: a path, a list of paths, or a text. */
export type GateOutputs = Readonly<Record<string, string | readonly string[]>>;

/** The types of outputs by their names. What is not named is a file, or files where it is a list. */
export type OutputTypes = Readonly<Record<string, OutputType>>;

/** One output with its files, or with its text. */
export interface GateOutput {
  readonly name: string;
  readonly type: OutputType;
  /** Empty for a text. */
  readonly paths: readonly string[];
  readonly text: string;
}

/**
 * The outputs in the order that they were given in.
 *
 * @throws ReviewLoopError `gate_output_invalid`
 */
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
      if (typeof value !== 'string') throw refused(`output ${name} is a text and needs one`, value);
      return { name, type, paths: [], text: value };
    default:
      throw refused(
        `output ${name} has the type ${String(type)}, which is none of file, files and string`,
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
