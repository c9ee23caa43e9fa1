import { userInfo } from 'node:os';

/** Returns the name of the user of this process; `unknown` if the system has none. */
export function userName(): string {
  try {
    return userInfo().username || 'unknown';
  } catch {
    return 'unknown';
  }
}
