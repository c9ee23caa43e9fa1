/** The end of the name of the folder of reports beside a database; no other store may have a folder of such a name. */
export const databaseSuffix = '.sqlite-reports';

/** The database of a folder of reports; `undefined` for a store of files. */
export function databaseOf(folder: string): string | undefined {
  return folder.endsWith(databaseSuffix) ? folder.slice(0, -databaseSuffix.length) : undefined;
}
