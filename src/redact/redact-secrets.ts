// the rules stand in the kernel: lesson stores need them too, and adapters import no blocks
export { redactSecrets } from '../kernel/lesson-secrets.js';
