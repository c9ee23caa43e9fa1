import { messageOf } from '../core/errors.js';
import type { Around } from '../core/span.js';
import type { Definition } from './definition.js';
import type { Run } from './run.js';

export async function trace(
  run: Run,
  { around }: Pick<Definition<never, never>, 'around'>,
  own?: Around,
): Promise<void> {
  const hooks = [around, own].filter(
    (hook): hook is Around => hook !== undefined && isActive(run, hook),
  );
  if (hooks.length === 0) return;
  const { Tracer } = await import('./tracer.js');
  run.tracer = new Tracer(run, hooks);
}

/** Errors of the hook itself are logged. */
function isActive(run: Run, hook: Around): boolean {
  try {
    return hook.isActive?.() !== false;
  } catch (error) {
    run.ports.logger.error(
      { run: run.id, error: messageOf(error) },
      'the hook `around` threw in `isActive`',
    );
    return true;
  }
}
