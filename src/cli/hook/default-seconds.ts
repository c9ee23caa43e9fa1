/** The default time limit of one hook, in seconds: below the shortest limit of an agent, 60. */
export const defaultSeconds = 45;
