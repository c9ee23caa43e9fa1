// Appends so many records to an audit log as soon as a line comes in.
import { createInterface } from 'node:readline';
import { fileAudit } from '@/adapters/stores/file/index.js';

const [, , directory = '', name = '', count = '1'] = process.argv;
const sink = fileAudit(directory);
console.log('ready');
for await (const _line of createInterface({ input: process.stdin })) {
  for (let done = 0; done < Number(count); done += 1) {
    await sink.record({ kind: 'note', who: name, reason: `${name} ${done}` });
    console.log(JSON.stringify(done));
  }
  process.exit(0);
}
