/** Returns the name of a judge in votes and rates: its provider, and its model where it has one. */
export function judgeName(provider: string, model: string | undefined): string {
  return model === undefined ? provider : `${provider} ${model}`;
}
