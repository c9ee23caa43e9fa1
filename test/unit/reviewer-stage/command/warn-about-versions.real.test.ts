import { expect, it } from 'vitest';
import { warnAboutVersions } from '../../../../src/reviewer-stage/command/warn-about-versions.js';
import { streams } from '../../../support/command-streams.js';
import { newRepository } from '../../../support/git-repository.js';
import { settings } from './stage-place.js';

it('a review warns of files that are staged in another version, and names five', async () => {
  const { cwd, git, write, commit } = newRepository();
  write('kept.js', 'one\n');
  commit('first');
  const warned = async (more: object = {}): Promise<string> => {
    const { io, written } = streams(cwd);
    await warnAboutVersions(io, { ...settings, ...more });
    return written.err;
  };
  expect(await warned()).toBe('');
  for (const name of ['1', '2', '3', '4', '5', '6', '7']) write(`${name}.js`, 'staged\n');
  git('add', '-A');
  expect(await warned()).toBe('');
  write('1.js', 'changed\n');
  expect(await warned()).toBe(
    'warning: 1 file staged in another version than in the folder: 1.js; this review sees the one in the folder; --staged reviews the other\n',
  );
  expect(await warned({ diff: undefined, staged: true })).toMatch(
    /: 1\.js; this review sees the staged one\n$/,
  );
  expect(await warned({ diff: 'HEAD..HEAD' })).toBe('');
  expect(await warned({ paths: ['2.js'] })).toBe('');
  for (const name of ['2', '3', '4', '5', '6', '7']) write(`${name}.js`, 'changed\n');
  expect(await warned()).toMatch(
    /^warning: 7 files .*: 1\.js, 2\.js, 3\.js, 4\.js, 5\.js and 2 more;/,
  );
});
