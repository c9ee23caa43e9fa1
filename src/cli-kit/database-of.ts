/** The suffix of the folder of reports next to a database. No other store may use such a folder. */
export const databaseSuffix = '.sqlite-reports';

/** Returns the database of a folder of reports; `undefined` for a file store. */
export function databaseOf(folder: string): string | undefined {
  return folder.endsWith(databaseSuffix) ? folder.slice(0, -databaseSuffix.length) : undefined;
}
