/** Returns whether a `--store` names a database by its address, or by an environment variable. */
export function namesAddress(store: string): boolean {
  return /^(?:postgres(?:ql)?:\/\/|env:)/i.test(store);
}
