/** Runs a program of `children/` and gives the JSON that it prints. */
export declare function runChild(
  program: string,
  options: object,
  nodeFlags?: readonly string[],
): Promise<unknown>;
