import { hashText } from '../../core/hash.js';

/** Returns a file name that any file system takes and that is unique to the judge. */
export function calibrationFileName(id: string): string {
  const safe = id.replace(/[^\w-]+/g, '-').slice(0, 80);
  return safe === id ? id : `${safe}-${hashText(id).slice(0, 8)}`;
}
