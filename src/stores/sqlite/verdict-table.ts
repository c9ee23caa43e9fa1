import type { VerdictStore } from '../../ports/verdict-store.js';
import { decodeEntry } from '../file/verdict-entry.js';
import { plainText } from '../plain-text.js';
import { verdictRow, verdictsUnavailable } from '../rows/verdict-row.js';
import type { Database } from './database.js';
import { replaceRow } from './insert-row.js';

export function verdictsIn(database: Database): VerdictStore {
  return {
    get: async (key) => {
      try {
        const [row] = await database.read((tables) =>
          tables.all('SELECT head, body FROM verdicts WHERE key = ?', plainText(key)),
        );
        if (row === undefined) return undefined;
        return decodeEntry(
          `${database.name}, verdict ${key}`,
          key,
          Buffer.from(`${row['head']}\n${row['body']}\n`),
        );
      } catch (error) {
        throw verdictsUnavailable(error, `cannot read the verdicts in ${database.name}`);
      }
    },
    put: async (key, verdict) => {
      const row = verdictRow(key, verdict);
      try {
        await database.write((tables) => replaceRow(tables, 'verdicts', { ...row }));
      } catch (error) {
        throw verdictsUnavailable(error, `cannot write the verdicts in ${database.name}`);
      }
    },
  };
}
