// Serves one call and ends, as a platform may do that starts a process for each call:
//   DATABASE_URL=postgres://... node once.ts /start '{"runId":"tea-1","task":"tea"}'
import { handle } from './handle.js';

const [, , path = '/sweep', body = '{}'] = process.argv;
const response = await handle(new Request(`http://127.0.0.1${path}`, { method: 'POST', body }));
console.log(response.status, await response.text());
