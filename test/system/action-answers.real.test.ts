import { describe, expect, it } from 'vitest';
import { newRepository, type Repository } from '../support/git-repository.js';
import { githubApi, type MadeComment } from '../support/github-api.js';
import { runAction } from './run-action.js';

const task = '- The shop must feel warm and inviting.\n';
const inputs = { task: 'TASK.md', criteria: 'text' };

/** A pull request with a question that only a person can answer. */
async function asked(config?: string) {
  const repository = newRepository();
  if (config !== undefined) repository.write('reviewloop.config.mjs', config);
  repository.write('TASK.md', task);
  const base = repository.commit('base');
  const head = written(repository, 'A shop that feels warm.');
  const api = await githubApi();
  api.head = head;
  return { repository, api, base, head, inputs };
}

function written(repository: Repository, line: string): string {
  repository.write('shop.md', `# The shop\n\n${line}\n`);
  return repository.commit(line);
}

const pushedAt = '2026-11-29T10:00:00Z';

/** A comment of a maintainer, written after the push. */
const comment = (body: string, more: Partial<MadeComment> = {}): MadeComment => ({
  ...{ id: 5, body, user: { type: 'User', login: 'ann' } },
  ...{ author_association: 'MEMBER', created_at: '2026-11-29T10:05:00Z' },
  ...more,
});

describe('answers as comments', () => {
  it('say how to answer, and are given by the person who wrote them', async () => {
    const given = await asked();
    // a stranger; who counts is shown beside the code of the action
    given.api.comments.push(
      comment('/reviewloop R1=yes', { id: 4, author_association: 'CONTRIBUTOR' }),
    );
    const first = await runAction(given);
    expect(first.log).not.toMatch(/reviewloop answer/);
    const own = given.api.comments.find(({ body }) => body.startsWith('<!-- reviewloop'));
    const [, line = ''] = /^ {4}(\/reviewloop .*)$/m.exec(own?.body ?? '') ?? [];
    expect(line).toMatch(/^\/reviewloop R1=yes/);
    given.api.comments.push(comment(`Fine.\n${line} looks warm\n`));
    const second = await runAction({ ...given, run: '2' });
    expect(second).toMatchObject({ code: 0 });
    expect(second.summary).toContain('reviewloop: Approved');
    expect(second.summary).not.toContain('CHECKS PASSED');
    expect(given.api.checks.map(({ conclusion }) => conclusion)).toEqual(['neutral', 'success']);
    // a gap of the person
    given.api.comments.push(comment('/reviewloop R1=no it looks cold', { id: 6 }));
    const third = await runAction({ ...given, run: '3' });
    expect(third.code).toBe(50);
    expect(third.summary).toContain('it looks cold');
  });

  it('are asked again after a push, unless what they were about is unchanged, and stay in a merge queue', async () => {
    const given = await asked();
    given.api.comments.push(comment('/reviewloop R1=yes'));
    await runAction(given);
    given.repository.write('other.md', '# Another page\n\nIt has words.\n');
    const other = given.repository.commit('other');
    given.api.head = other;
    const later = '2026-11-29T11:00:00Z';
    await runAction({ ...given, head: other, run: '2', pushedAt: later });
    await runAction({ ...given, head: other, run: '3', queued: true });
    const cold = written(given.repository, 'A shop that feels warm, says nobody.');
    given.api.head = cold;
    await runAction({ ...given, head: cold, run: '4', pushedAt: later });
    expect(given.api.checks.map(({ conclusion }) => conclusion)).toEqual([
      'success',
      'success',
      'success',
      'neutral',
    ]);
    expect(pushedAt < later).toBe(true);
  });

  const human = "export default { human: { policy: 'require' } };\n";

  it('approve what the reviewers approve, of the commit that they name', async () => {
    const given = await asked(human);
    given.api.comments.push(comment('/reviewloop R1=yes'));
    const first = await runAction(given);
    expect(first.code).toBe(53);
    const [, line = ''] = /^ {4}(\/reviewloop .*)$/m.exec(given.api.comments[1]?.body ?? '') ?? [];
    expect(line).toBe(`/reviewloop approve ${given.head.slice(0, 12)}`);
    given.api.comments.push(comment(`${line} ship it`, { id: 6 }));
    const second = await runAction({ ...given, run: '2' });
    expect(second).toMatchObject({ code: 0 });
    expect(second.summary.match(/reviewloop: /g)).toHaveLength(1);
    await runAction({ ...given, run: '3', queued: true });
    const cold = written(given.repository, 'A shop that feels warm, says nobody.');
    given.api.head = cold;
    const at = '2026-11-29T11:05:00Z';
    given.api.comments.push(comment('/reviewloop R1=yes', { id: 7, created_at: at }));
    await runAction({ ...given, head: cold, run: '4', pushedAt: '2026-11-29T11:00:00Z' });
    expect(given.api.comments[1]?.body).toContain(`/reviewloop approve ${cold.slice(0, 12)}`);
    expect(given.api.checks.map(({ conclusion }) => conclusion)).toEqual([
      'action_required',
      'success',
      'success',
      'action_required',
    ]);
  });
});
