const key = 'reviewloop-inbox-token';

/**
 * Moves it from the address into the storage of this tab. The part of an address that contains it
 * is never sent to a server.
 *
 * @returns Whether there was one.
 */
export function takeToken(): boolean {
  const token = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (token === undefined) return false;
  keepToken(decodeURIComponent(token));
  history.replaceState(null, '', location.pathname);
  return true;
}

/** Stored in this tab; `given` may be an address that somebody pasted. */
export function keepToken(given: string): void {
  sessionStorage.setItem(key, given.trim().replace(/^.*#token=/, ''));
}

export function storedToken(): string | undefined {
  return sessionStorage.getItem(key) ?? undefined;
}
