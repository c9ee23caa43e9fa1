import { clearBlock, movesCursor, showCursor } from '../../terminal/colours.js';
import type { Io } from '../io.js';

/**
 * Returns what gives the terminal back where the process is ended from outside: the live block is
 * erased and the cursor is shown. '' where no cursor is moved.
 */
export function restoreText({ live, errColumns }: Pick<Io, 'live' | 'errColumns'>): string {
  const isBlock = live !== undefined && errColumns !== undefined && movesCursor(process.stderr);
  return isBlock ? `${clearBlock}${showCursor}` : '';
}
