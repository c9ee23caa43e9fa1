import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** A file of an installed package. */
export interface DictionaryFile {
  readonly url: URL;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** An installed package of words. */
export interface DictionaryPackage {
  /** The name with the version. */
  readonly version: string;
  readonly read: (path: string) => Promise<DictionaryFile>;
}

/** Finds a package of words from this module on, never from the folder of the project. */
export async function dictionaryPackage(name: string): Promise<DictionaryPackage> {
  const folder = pathToFileURL(createRequire(import.meta.url).resolve(name));
  const read = async (path: string): Promise<DictionaryFile> => {
    const url = new URL(path, folder);
    return { url, content: new Uint8Array(await readFile(url)) };
  };
  const { version } = parsed(await read('./package.json')) as { version: string };
  return { version: `${name}@${version}`, read };
}

/** Returns the data of a JSON file. */
export function parsed({ content }: DictionaryFile): unknown {
  return JSON.parse(new TextDecoder().decode(content));
}
