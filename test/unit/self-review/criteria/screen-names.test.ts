import { describe, expect, it } from 'vitest';
import { pathNamesScreen, screensIn } from '../../../../src/self-review/criteria/screens.js';

describe('the screens that a task names', () => {
  it.each<[string, string[]]>([
    ['Create the login,signup and profile pages', ['login', 'signup', 'profile']],
    ['Create the login ,  signup  and  profile pages', ['login', 'signup', 'profile']],
    ['Create the login, signup, and profile pages', ['login', 'signup', 'profile']],
    ['Create the login, signup or profile pages', ['login', 'signup', 'profile']],
    ['Create the login & profile pages', ['login', 'profile']],
    ['Create the brandand and orders pages', ['brandand', 'orders']],
    ['Create the login, signup, and  profile pages', ['login', 'signup', 'profile']],
  ])('are read from a list: %s', (task, screens) => {
    expect([...screensIn(task)].sort()).toEqual([...screens].sort());
  });

  it.each<[string, string[]]>([
    ['Create the login-- page', ['login']],
    ['Create the login_ page', ['login']],
    ['Create the sign-up page', ['sign-up']],
    ['Create the x page', []],
    ['Create the 404 page', []],
    ['Create the 4 page', []],
    ['Create the 2fa page', ['2fa']],
    ['Create the web3 page', ['web3']],
  ])('are whole names, and no mere numbers: %s', (task, screens) => {
    expect(screensIn(task)).toEqual(screens);
  });

  it.each([
    ['mockups/SignUp.html', 'sign-up', true],
    ['mockups/sign_up.html', 'sign-up', true],
    ['mockups/login.html', 'sign-up', false],
    ['mockups/login.html', '--', false],
  ])('are found in %s: %s is %s', (path, screen, is) => {
    expect(pathNamesScreen(path, screen)).toBe(is);
  });
});
