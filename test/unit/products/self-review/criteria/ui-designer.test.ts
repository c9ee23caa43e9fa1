import { describe, expect, it } from 'vitest';
import type { CriterionResult } from '@/core/criterion.js';
import { type AgentOutput, agentRequest } from '@/products/self-review/agent.js';
import {
  pathNamesScreen,
  screensIn,
  UIDesignerReviewCriteria,
} from '@/products/self-review/criteria/ui-designer.js';
import { SelfReviewLoop } from '@/products/self-review/self-review-loop.js';
import { context } from '../support.js';

type Artifacts = AgentOutput['artifacts'];

const designer = new UIDesignerReviewCriteria();
const page = (content: string | undefined = '<p>x</p>', path = 'a.html'): Artifacts[number] => ({
  ...{ type: 'mockup', path, content },
});
const sheet = (content: string): Artifacts[number] => ({
  ...{ type: 'stylesheet', path: 'a.css', content },
});
const buttons = (named: number, all: number) =>
  page('<button>x</button>'.repeat(named) + '<button></button>'.repeat(all - named));

function criterionOf(id: string) {
  const found = designer.criteria.find((criterion) => criterion.id === id);
  if (found === undefined) throw new Error(id);
  return found;
}

const judge = async (
  id: string,
  artifacts: Artifacts,
  task = 'Design it',
): Promise<CriterionResult> => criterionOf(id).validate({ artifacts }, agentRequest(task), context);
const judged = (...artifacts: Artifacts) => judge('accessibility_attributes', artifacts);

/** How mockups with these contents cover a requirement. */
const covered = (requirement: string, ...contents: (string | undefined)[]) =>
  designer.checkRequirementCovered(
    requirement,
    { artifacts: contents.map((content, index) => ({ ...page('', `${index}.html`), content })) },
    context,
  );

describe('UIDesignerReviewCriteria', () => {
  it('has the id and the four criteria of the seed [SR-94, SR-138]', () => {
    expect(designer.agentId).toBe('ui_designer');
    const criteria = designer.criteria.map(({ id, severity, category }) => [
      id,
      severity,
      category,
    ]);
    expect(criteria).toEqual([
      ['all_screens_created', 'critical', 'missing'],
      ['design_tokens_applied', 'major', 'quality'],
      ['accessibility_attributes', 'major', 'quality'],
      ['responsive_design', 'major', 'incomplete'],
    ]);
  });

  const four = 'Design the login page, the settings screen, the billing view and the search page';
  const [login, settings] = [page('', 'mockups/Login.html'), page('', 'settings.html')];
  const screens = 'all_screens_created';
  const tokens = 'design_tokens_applied';
  const names = 'accessibility_attributes';
  const layout = 'responsive_design';
  const missing = { details: 'Missing screens: billing, search', estimatedEffort: 'medium' };
  const padding = { findings: [{ evidence: 'padding:4px' }] };
  const seven = { details: '7 of 10 interactive elements have a name' };
  const rows: [string, Artifacts, boolean, number, object?, string?][] = [
    [screens, [login, settings], false, 0.5, missing, four],
    [screens, [login], false, 0.25, { estimatedEffort: 'large' }, four],
    [screens, [login], true, 1, {}, 'Design the login page'],
    [screens, [], false, 0, {}, 'Design something'],
    [tokens, [], false, 0],
    [tokens, [sheet('a{color:red}'), sheet('a{color:var(--c)}')], false, 0.5],
    [tokens, [sheet('a{color:var(--c);padding:4px}')], true, 1, padding],
    [tokens, [sheet('/* $ var(--x) */ a{color:red}')], false, 0.5],
    [names, [buttons(8, 10)], true, 0.8],
    [names, [buttons(7, 10)], false, 0.7, seven],
    [names, [page()], true, 1],
    [layout, [sheet('@media (min-width: 9em){a{color:red}}')], true, 0.6],
    [layout, [sheet('a{display:flex}')], false, 0.4],
    [layout, [], false, 0, { suggestedFix: expect.any(String) }],
  ];

  it.each(rows)(
    '%s is scored [SR-95, SR-96, SR-97, SR-98, SR-148]',
    async (id, artifacts, passed, score, more, task) => {
      const result = await judge(id, artifacts, task);
      expect(result).toMatchObject({ passed, score, ...more });
      expect(result).not.toHaveProperty('skipped');
    },
  );

  it('screens are read from the description, once, in lower case [SR-103]', () => {
    expect(
      screensIn(
        'Design the Login page and the login screen. A view for reports, a page for the team. Create a dashboard with charts.',
      ),
    ).toEqual(['login', 'reports', 'team', 'dashboard']);
    expect(screensIn('Create login, sign-up and profile pages')).toEqual([
      'login',
      'sign-up',
      'profile',
    ]);
  });

  it.each([
    ['Create the login page', ['login']],
    ['Make this page nice', []],
    ['Create a responsive component library', []],
    ['Create pages and design screens', []],
    ['It must support screen readers and every screen size', []],
    ['Each page has a footer; users view the page', []],
  ])('D004-27: "%s" names %j', (task, screens) => {
    expect(screensIn(task)).toEqual(screens);
  });

  it('half of the words anywhere in mockups and stylesheets cover a requirement [SR-99]', async () => {
    const document = { type: 'document', path: 'b.md', content: 'visibility' };
    const artifacts = [page('<form>Password</form>'), sheet('.toggle{color:red}'), document];
    const found = { covered: true, confidence: 2 / 3, evidenceLocation: 'a.html:1' };
    expect(
      await designer.checkRequirementCovered('Password visibility toggle', { artifacts }, context),
    ).toMatchObject(found);
  });

  it('forms, logins and dashboards imply requirements [SR-100, SR-101, SR-102]', async () => {
    const found = await designer.extractRequirements(
      agentRequest('Design a login form and a dashboard'),
    );
    expect(found).toEqual([
      ...['Form validation states (error, success)', 'Form submission feedback'],
      ...['Password visibility toggle', 'Forgot password link', 'Error message display'],
      ...['Navigation menu', 'User profile area', 'Loading states'],
    ]);
    expect(await designer.extractRequirements(agentRequest('The platform'))).toEqual([]);
    expect(await covered('Loading states')).toMatchObject({ source: 'implicit' });
  });

  const logins = ['login', 'log-in', 'Log in', 'logins', 'signin', 'sign-in', 'Sign ins'];
  const others = ['blogin', 'logging', 'design', 'log+in'];
  it.each([...logins, ...others])(
    'a page for %s needs what pages to log in have, or not',
    async (name) => {
      const found = await designer.extractRequirements(agentRequest(`The ${name} page`));
      expect(found.includes('Forgot password link')).toBe(logins.includes(name));
    },
  );
});

describe('the names of interactive elements', () => {
  it('do not apply without a page, which is no pass', async () => {
    expect(await judged()).toMatchObject({ passed: false, score: 0, skipped: expect.any(String) });
    const other = { type: 'document', path: 'a.md', content: 'text' };
    expect(await judged(other)).toMatchObject({ passed: false, skipped: expect.any(String) });
  });

  it('pass without advice and without findings if each has one', async () => {
    const result = await judged(page('<button>Save</button>'));
    expect(result).toMatchObject({ passed: true, score: 1, estimatedEffort: 'small' });
    expect(result).not.toHaveProperty('suggestedFix');
    expect(result).not.toHaveProperty('findings');
  });

  it('fail with advice, and each element without one is a finding', async () => {
    const result = await judged(page('<p>x</p>\n<button></button>\n<a href="/"></a>'));
    expect(result).toMatchObject({
      passed: false,
      score: 0,
      suggestedFix: expect.any(String),
      findings: [
        { file: 'a.html', line: 2 },
        { file: 'a.html', line: 3 },
      ],
    });
  });

  it('are told as findings in a pass, too, without advice for the whole', async () => {
    const result = await judged(page(`${'<button>x</button>'.repeat(9)}<button></button>`));
    expect(result).toMatchObject({ passed: true, score: 0.9, findings: [{ file: 'a.html' }] });
    expect(result).not.toHaveProperty('suggestedFix');
  });

  it('do not pass if a page could not be read, whatever the others have', async () => {
    const deep = page('<div>'.repeat(2000), 'deep.html');
    const failed = { passed: false, score: 0, details: expect.stringContaining('deep.html') };
    const alone = await judged(deep);
    expect(alone).toMatchObject({ ...failed, suggestedFix: expect.any(String) });
    expect(alone).not.toHaveProperty('skipped');
    expect(await judged(page('<button>Save</button>'), deep)).toMatchObject(failed);
  });
});

it('the fixes of a UI designer connect the label before a field to it, although a placeholder names the field', async () => {
  const content =
    '<html lang="en"><body><label>Mail</label> <input type="email" placeholder="Mail"></body></html>';
  const { outcome, output } = await new SelfReviewLoop([
    criterionOf('accessibility_attributes'),
  ]).execute(agentRequest('Design it'), async () => ({ artifacts: [page(content)] }));
  expect(outcome.status).toBe('approved');
  const [, label] = /<label for="([^"]+)">/.exec(output.artifacts[0]?.content ?? '') ?? [];
  expect(label).toBeTruthy();
  expect(output.artifacts[0]?.content).toContain(`id="${label}"`);
});

describe('the screens that a task names', () => {
  it.each<[string, string[]]>([
    ['Create the login,signup and profile pages', ['login', 'signup', 'profile']],
    ['Create the login ,  signup  and  profile pages', ['login', 'signup', 'profile']],
    ['Create the login, signup, and profile pages', ['login', 'signup', 'profile']],
    ['Create the login, signup or profile pages', ['login', 'signup', 'profile']],
    ['Create the login & profile pages', ['login', 'profile']],
    ['Create the brandand and orders pages', ['brandand', 'orders']],
    ['Create the login, signup, and  profile pages', ['login', 'signup', 'profile']],
    ['Create the login-- page', ['login']],
    ['Create the login_ page', ['login']],
    ['Create the sign-up page', ['sign-up']],
    ['Create the x page', []],
    ['Create the 404 page', []],
    ['Create the 4 page', []],
    ['Create the 2fa page', ['2fa']],
    ['Create the web3 page', ['web3']],
  ])('are whole names, read from lists too: %s', (task, screens) => {
    expect([...screensIn(task)].sort()).toEqual([...screens].sort());
  });

  it.each([
    ['mockups/SignUp.html', 'sign-up', true],
    ['mockups/sign_up.html', 'sign-up', true],
    ['mockups/sign up.html', 'SignUp', true],
    ['mockups/login.html', 'sign-up', false],
    ['mockups/login.html', '--', false],
  ])('are found in %s: %s is %s', (path, screen, is) => {
    expect(pathNamesScreen(path, screen)).toBe(is);
  });
});

describe('the coverage of mockups', () => {
  const requirement = 'Password visibility toggle';

  it('counts words of different files, and words that are far apart', async () => {
    const found = { covered: true, confidence: 2 / 3 };
    expect(await covered(requirement, 'Password', 'toggle')).toMatchObject(found);
    const far = `Password ${'lorem ipsum '.repeat(200)} visibility ${'dolor sit '.repeat(200)} toggle`;
    expect(await covered(requirement, far)).toMatchObject({ covered: true, confidence: 1 });
  });

  it('quotes what was found, with its share', async () => {
    const details = (await covered(requirement, '<b>Password toggle</b>')).coverageDetails;
    expect(details).toMatch(/^Found.*66%/);
    expect(details).toContain('"Password toggle"');
  });

  it('quotes the file that it names, where a requirement is spread over files', async () => {
    const spread = await covered(requirement, 'visibility', 'Password toggle');
    expect(spread).toMatchObject({ covered: true, evidenceLocation: '1.html:1' });
    expect(spread.coverageDetails).toContain('"Password toggle"');
  });

  it('tells apart a part, nothing, and a requirement without words', async () => {
    const part = await covered('Chart legend colours axes', 'a chart');
    expect(part).toMatchObject({ covered: false, confidence: 1 / 4 });
    expect(part.coverageDetails).toContain('25%');
    expect(part.coverageDetails).toContain('"chart"');
    expect(part.coverageDetails).not.toMatch(/^Found/);
    const none = await covered('Chart legend colours axes', 'tea');
    expect(none).toMatchObject({ covered: false, confidence: 0 });
    expect(none.coverageDetails).not.toMatch(/^Found|[%"]/);
    expect(none).not.toHaveProperty('evidenceLocation');
    const empty = (await covered('', 'tea')).coverageDetails;
    expect((await covered(' ', 'tea')).coverageDetails).toBe(empty);
    expect(new Set([empty, none.coverageDetails, part.coverageDetails]).size).toBe(3);
    expect(none.coverageDetails).not.toBe('');
  });

  it('finds nothing in a mockup without content', async () => {
    const none = { covered: false, confidence: 0 };
    expect(await covered('The stryker was here', undefined)).toMatchObject(none);
  });
});
