import { beforeEach, describe, expect, it } from 'vitest';
import type { CriterionResult } from '../../../../src/core/criterion.js';
import { type AgentOutput, agentRequest } from '../../../../src/self-review/agent.js';
import { screensIn } from '../../../../src/self-review/criteria/screens.js';
import { UIDesignerReviewCriteria } from '../../../../src/self-review/criteria/ui-designer.js';

const context = { previous: [], previousOutputs: [], previousReviews: [] };
let designer: UIDesignerReviewCriteria;
beforeEach(() => {
  designer = new UIDesignerReviewCriteria();
});

function judge(id: string, output: AgentOutput, task = 'Design it'): Promise<CriterionResult> {
  const found = designer.criteria.find((criterion) => criterion.id === id);
  if (found === undefined) throw new Error(id);
  return found.validate(output, agentRequest(task), context);
}

const mockup = (path: string, content = '<p>x</p>'): AgentOutput['artifacts'][number] => ({
  type: 'mockup',
  path,
  content,
});
const sheet = (content: string): AgentOutput['artifacts'][number] => ({
  type: 'stylesheet',
  path: 'a.css',
  content,
});

describe('UIDesignerReviewCriteria', () => {
  it('has the id and the four criteria of the seed [SR-94, SR-138]', () => {
    expect(designer.agentId).toBe('ui_designer');
    expect(designer.criteria.map(({ id, severity, category }) => [id, severity, category])).toEqual(
      [
        ['all_screens_created', 'critical', 'missing'],
        ['design_tokens_applied', 'major', 'quality'],
        ['accessibility_attributes', 'major', 'quality'],
        ['responsive_design', 'major', 'incomplete'],
      ],
    );
  });

  it('every requested screen has a mockup, else its share is missing [SR-95, SR-148]', async () => {
    const task = 'Design the login page, the settings screen, the billing view and the search page';
    const two = { artifacts: [mockup('mockups/Login.html'), mockup('settings.html')] };
    expect(await judge('all_screens_created', two, task)).toMatchObject({
      passed: false,
      score: 0.5,
      details: 'Missing screens: billing, search',
      estimatedEffort: 'medium',
    });
    expect(
      await judge('all_screens_created', { artifacts: [mockup('login.html')] }, task),
    ).toMatchObject({ score: 0.25, estimatedEffort: 'large' });
    expect(
      await judge(
        'all_screens_created',
        { artifacts: [mockup('login.html')] },
        'Design the login page',
      ),
    ).toMatchObject({ passed: true, score: 1 });
    expect(await judge('all_screens_created', { artifacts: [] }, 'Design something')).toMatchObject(
      { passed: false, score: 0 },
    );
  });

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

  it('no stylesheet fails with 0, one without tokens with 0.5 [SR-96, SR-148]', async () => {
    expect(await judge('design_tokens_applied', { artifacts: [] })).toMatchObject({
      passed: false,
      score: 0,
    });
    expect(
      await judge('design_tokens_applied', {
        artifacts: [sheet('a{color:red}'), sheet('a{color:var(--c)}')],
      }),
    ).toMatchObject({ passed: false, score: 0.5 });
    expect(
      await judge('design_tokens_applied', { artifacts: [sheet('a{color:var(--c);padding:4px}')] }),
    ).toMatchObject({ passed: true, score: 1, findings: [{ evidence: 'padding:4px' }] });
    expect(
      await judge('design_tokens_applied', { artifacts: [sheet('/* $ var(--x) */ a{color:red}')] }),
    ).toMatchObject({ passed: false, score: 0.5 });
  });

  it('the share of named interactive elements passes from 0.8 on, and without any it is 1 [SR-97, SR-148]', async () => {
    const buttons = (named: number, all: number): AgentOutput => ({
      artifacts: [
        mockup(
          'a.html',
          '<button>x</button>'.repeat(named) + '<button></button>'.repeat(all - named),
        ),
      ],
    });
    expect(await judge('accessibility_attributes', buttons(8, 10))).toMatchObject({
      passed: true,
      score: 0.8,
    });
    expect(await judge('accessibility_attributes', buttons(7, 10))).toMatchObject({
      passed: false,
      score: 0.7,
      details: '7 of 10 interactive elements have a name',
    });
    expect(
      await judge('accessibility_attributes', { artifacts: [mockup('a.html')] }),
    ).toMatchObject({ passed: true, score: 1 });
  });

  it('breakpoints count 0.6 and flex or grid 0.4 [SR-98, SR-148]', async () => {
    expect(
      await judge('responsive_design', {
        artifacts: [sheet('@media (min-width: 9em){a{color:red}}')],
      }),
    ).toMatchObject({ passed: true, score: 0.6 });
    expect(
      await judge('responsive_design', { artifacts: [sheet('a{display:flex}')] }),
    ).toMatchObject({ passed: false, score: 0.4 });
    expect(await judge('responsive_design', { artifacts: [] })).toMatchObject({
      passed: false,
      score: 0,
    });
  });

  it('half of the words anywhere in mockups and stylesheets cover a requirement [SR-99]', async () => {
    const output: AgentOutput = {
      artifacts: [
        mockup('a.html', '<form>Password</form>'),
        sheet('.toggle{color:red}'),
        { type: 'document', path: 'b.md', content: 'visibility' },
      ],
    };
    expect(
      await designer.checkRequirementCovered('Password visibility toggle', output, context),
    ).toMatchObject({ covered: true, confidence: 2 / 3, evidenceLocation: 'a.html:1' });
    expect(
      await designer.checkRequirementCovered('Chart legend colours', output, context),
    ).toMatchObject({ covered: false, confidence: 0 });
  });

  it('stop words do not cover, an empty requirement is not covered [D004-25]', async () => {
    const output = { artifacts: [mockup('a.html', 'the use of a page is of use to all')] };
    expect(
      await designer.checkRequirementCovered('the use of a quantum flux', output, context),
    ).toMatchObject({ covered: false, confidence: 0 });
    expect(await designer.checkRequirementCovered('', output, context)).toMatchObject({
      covered: false,
      confidence: 0,
    });
  });

  it('forms, logins and dashboards imply requirements [SR-100, SR-101, SR-102]', async () => {
    const found = await designer.extractRequirements(
      agentRequest('Design a login form and a dashboard'),
    );
    expect(found).toEqual([
      'Form validation states (error, success)',
      'Form submission feedback',
      'Password visibility toggle',
      'Forgot password link',
      'Error message display',
      'Navigation menu',
      'User profile area',
      'Loading states',
    ]);
    expect(await designer.extractRequirements(agentRequest('The platform'))).toEqual([]);
    expect(
      await designer.checkRequirementCovered('Loading states', { artifacts: [] }, context),
    ).toMatchObject({ source: 'implicit' });
  });

  it.each(['login', 'log-in', 'Log in', 'logins', 'signin', 'sign-in', 'Sign ins'])(
    'a page for %s needs what such pages have',
    async (name) => {
      const found = await designer.extractRequirements(agentRequest(`The ${name} page`));
      expect(JSON.stringify(found)).toContain('Forgot password link');
    },
  );

  it.each(['blogin', 'logging', 'design', 'log+in'])('a page for %s does not', async (name) => {
    const found = await designer.extractRequirements(agentRequest(`The ${name} page`));
    expect(JSON.stringify(found)).not.toContain('Forgot password link');
  });
});
