import { digestJson } from '../../core/json.js';

/** Returns a valid run id for a text of another framework; equal for an equal text. */
export function runIdFrom(text: string): string {
  const id = text.replaceAll(/[^\w.:@-]/g, '_');
  return id === text && id.length <= 200
    ? id
    : `${id.slice(0, 120)}-${digestJson(text).slice(0, 32)}`;
}
