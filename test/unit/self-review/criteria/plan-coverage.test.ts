import { describe, expect, it } from 'vitest';
import { type AgentOutput, agentRequest } from '../../../../src/self-review/agent.js';
import { ProjectManagerReviewCriteria } from '../../../../src/self-review/criteria/project-manager.js';

const context = { previous: [], previousOutputs: [], previousReviews: [] };

function plan(...tasks: unknown[]): AgentOutput {
  return { artifacts: [], result: { epics: [{ features: [{ id: 'f1', title: '', tasks }] }] } };
}

function covered(requirement: string, ...tasks: unknown[]) {
  return new ProjectManagerReviewCriteria().checkRequirementCovered(
    requirement,
    plan(...tasks),
    context,
  );
}

describe('the task that covers a requirement', () => {
  it('is the one with most of its words', async () => {
    expect(
      await covered(
        'Send the invoice by mail',
        { id: 't1', title: 'Mail' },
        { id: 't2', title: 'Send invoice' },
        { id: 't3', title: 'Send' },
      ),
    ).toMatchObject({ evidenceLocation: 't2', coverageDetails: 'Covered by: Send invoice' });
  });

  it('is not one that only has the letters of the word', async () => {
    expect(
      await covered(
        'art',
        { id: 't1', title: 'Start the party' },
        { id: 't2', title: 'Modern art' },
      ),
    ).toMatchObject({ evidenceLocation: 't2' });
  });

  it('is the right one of two tasks with one id', async () => {
    expect(
      await covered(
        'Export charts',
        { id: 't1', title: 'Accounts' },
        { id: 't1', title: 'Export charts' },
      ),
    ).toMatchObject({ covered: true, coverageDetails: 'Covered by: Export charts' });
  });

  it('has a title, or else an id; without an id there is no place', async () => {
    const untitled = { id: 't1', description: 'Export charts' };
    expect(await covered('Export charts', untitled)).toMatchObject({
      evidenceLocation: 't1',
      coverageDetails: 'Covered by: t1',
    });
    const unnumbered = await covered('Export charts', { title: 'Export charts' });
    expect(unnumbered).toMatchObject({ coverageDetails: 'Covered by: Export charts' });
    expect(unnumbered).not.toHaveProperty('evidenceLocation');
  });

  it('may have the words far apart', async () => {
    const description = `Export ${'lorem ipsum '.repeat(200)} charts ${'dolor sit '.repeat(200)}`;
    expect(
      await covered('Export charts legend colours', { id: 't1', title: 'x', description }),
    ).toMatchObject({ covered: true, evidenceLocation: 't1' });
  });

  it.each(['', ' '])('exists for no requirement without words: %j', async (requirement) => {
    expect(await covered(requirement, { id: 't1', title: 'Export charts' })).toMatchObject({
      covered: false,
      confidence: 0,
    });
  });
});

describe('the options of a project manager’s criteria', () => {
  const judge = async (options: object, complexity: string) => {
    const { criteria } = new ProjectManagerReviewCriteria(options);
    const found = criteria.find(({ id }) => id === 'balanced_complexity');
    return found?.validate(
      plan({ id: 'a', title: 'A', complexity }, { id: 'b', title: 'B', complexity: 'small' }),
      agentRequest('Plan it'),
      context,
    );
  };

  it('set which complexities are known and too much, and how many tasks need one', async () => {
    expect(await judge({}, 'epic')).toMatchObject({ passed: false, score: 0.5 });
    expect(await judge({}, '')).toMatchObject({ passed: true });
    expect(await judge({ complexityShare: 0.9 }, '')).toMatchObject({ passed: false });
    expect(await judge({}, 'gigantic')).toMatchObject({ passed: false });
    expect(await judge({ scale: ['gigantic', 'small'] }, 'gigantic')).toMatchObject({
      passed: true,
    });
    expect(await judge({}, 'large')).toMatchObject({ passed: true });
    expect(await judge({ tooComplex: ['large'] }, 'large')).toMatchObject({ passed: false });
  });
});
