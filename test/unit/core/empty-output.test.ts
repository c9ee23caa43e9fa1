import { describe, expect, it } from 'vitest';
import { isEmptyOutput } from '@/core/empty-output.js';

const file = (content?: string) => ({ path: 'a.md', type: 'document', content });

describe('an output without content', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['an empty text', ''],
    ['invisible characters', ' \n\t\u200b\u3164'],
    ['an empty list', []],
    ['an empty object', {}],
    ['a list of blank texts', ['', ' ', null]],
    ['blank members', { a: ' ', b: null, c: undefined }],
    ['a member that is a list of blank texts', { lines: ['', ' \n'] }],
    ['no files', { artifacts: [] }],
    ['blank files', { artifacts: [file(''), file(' \n')] }],
    ['blank files in another shape', { artifacts: ['', null, ' '] }],
    ['an empty result', { artifacts: [], result: {} }],
    ['blank files and a blank result', { artifacts: [file(' ')], result: { text: '' } }],
  ])('is %s', (_, output) => {
    expect(isEmptyOutput(output)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a text', 'x'],
    ['a number', 0],
    ['false', false],
    ['one text among blank ones', ['', 'x']],
    ['a number as a member', { count: 0 }],
    ['an object as a member', { a: ' ', b: {} }],
    ['an empty list as a member: no issue was found', { issues: [] }],
    ['a list with one text as a member', { lines: ['', 'x'] }],
    ['one file with content', { artifacts: [file(''), file('x')] }],
    ['a file whose content is elsewhere', { artifacts: [file()] }],
    ['a file without the member', { artifacts: [{ path: 'a.png', type: 'image' }] }],
    ['files in another shape', { artifacts: ['x'] }],
    ['numbers as files', { artifacts: [7] }],
    ['files that are no list', { artifacts: 'none' }],
    ['a file whose content is a number', { artifacts: [{ content: 7 }] }],
    ['a list with a number', [0]],
    ['a result beside blank files', { artifacts: [file(' ')], result: 'done' }],
  ])('is not %s', (_, output) => {
    expect(isEmptyOutput(output)).toBe(false);
  });
});
