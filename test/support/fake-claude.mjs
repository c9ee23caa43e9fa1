#!/usr/bin/env node
// A program that answers a review as `claude --print --output-format json` would, in the mode that REVIEW_RESULT names; without one it
// looks for FORCE_PASS and FORCE_FAIL in what it is given. It appends a line to FAKE_CALLS for each call.
import { appendFileSync, readFileSync } from 'node:fs';

const input = readFileSync(0, 'utf8');
const args = process.argv.slice(2);
const calls = process.env.FAKE_CALLS;
appendFileSync(calls, `${JSON.stringify({ args, input, cwd: process.cwd() })}\n`);
const call = readFileSync(calls, 'utf8').trim().split('\n').length;
const modes = (process.env.REVIEW_RESULT ?? '').split(',');
const mode =
  modes[Math.min(call, modes.length) - 1] ||
  (input.includes('FORCE_FAIL') ? 'fail' : input.includes('FORCE_PASS') ? 'pass' : 'fail');

const print = (output) =>
  process.stdout.write(typeof output === 'string' ? output : JSON.stringify(output));
const answer = (structured_output) =>
  print({ type: 'result', subtype: 'success', is_error: false, result: '', structured_output });

if (mode === 'pass')
  answer({
    passed: true,
    feedback: 'All criteria met',
    criteria_results: [{ criterion: 'Complete', passed: true, feedback: null }],
  });
else if (mode === 'fail')
  answer({
    passed: false,
    feedback: 'Not complete',
    criteria_results: [{ criterion: 'Complete', passed: false, feedback: 'no conclusion' }],
  });
else if (mode === 'contradiction')
  answer({
    passed: true,
    feedback: 'fine',
    criteria_results: [{ criterion: 'Complete', passed: false, feedback: 'no conclusion' }],
  });
else if (mode === 'nothing') answer({});
else if (mode === 'bare') answer({ passed: true });
else if (mode === 'odd') answer({ passed: true, feedback: 'x', criteria_results: ['a'] });
else if (mode === 'list') print('[]');
else if (mode === 'unstructured')
  print({ type: 'result', subtype: 'success', is_error: false, result: 'looks good' });
else if (mode === 'api-error')
  print({ type: 'result', subtype: 'error', is_error: true, result: 'overloaded' });
else if (mode === 'malformed') print('not { json');
else if (mode === 'empty') print('');
else if (mode === 'timeout') setInterval(() => {}, 1000);
else if (mode === 'error') {
  process.stderr.write('it broke');
  process.exitCode = 1;
}
