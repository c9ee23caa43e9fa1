// Requirements of a document, against its syntax tree alone.
import { parser as markdown, Table, TaskList } from '@lezer/markdown';
import { answer, given } from '../lib/child.mjs';

const { times, entry } = given();
const { explicitRequirements } = await import(entry);
const parser = markdown.configure([Table, TaskList]);
const part = (number) =>
  `## Feature ${number}\n\nThe page ${number} must show the total. It also lists what was bought.\n\n- [ ] Guest ${number} can buy\n- The address is **checked**:\n  - street\n  - town\n\n| Id | Requirement |\n|---|---|\n| R${number} | Loads within ${number} ms |\n\n> A quote that must not count.\n\n`;
const text = Array.from({ length: times * 10 }, (_, index) => part(index)).join('');

async function least(work) {
  const spent = [];
  for (let round = 0; round < (times === 100 ? 2 : 6); round += 1) {
    const start = performance.now();
    await work();
    spent.push(performance.now() - start);
  }
  return Math.min(...spent);
}

const found = (await explicitRequirements(text)).length;
answer({
  bytes: text.length,
  found,
  parser: await least(() => parser.parse(text)),
  reader: await least(() => explicitRequirements(text)),
});
