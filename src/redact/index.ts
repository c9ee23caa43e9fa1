/**
 * Removes secrets from texts and JSON.
 *
 * @module
 */

export { redactJson } from './redact-json.js';
export { redactJsonAsync } from './redact-json-async.js';
export { redactSecretsAsync } from './redact-with-secretlint.js';
export { redactSecrets } from './secrets.js';
