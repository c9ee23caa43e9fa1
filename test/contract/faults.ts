/** What the checks of a contract find wrong, in their order. */
export async function faultsOf(
  checks: readonly { readonly run: () => void | Promise<void> }[],
): Promise<readonly string[]> {
  const results = await Promise.allSettled(checks.map(async ({ run }) => run()));
  return results.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
}
