/**
 * The settings that git has in tests, in place of those of the user: after a commit it starts nothing more, which is a
 * process that no test is about.
 */
export const gitConfig = new URL('./gitconfig', import.meta.url).pathname;
