import { EventEmitter } from 'eventemitter3';
import { messageOf } from '../core/errors.js';
import type { ReviewEventName, ReviewEvents } from '../core/event.js';
import { deepFrozen } from '../core/json.js';
import { call, invalid } from '../core/options.js';
import type { Logger } from '../ports/logger.js';

type Payload<Name extends ReviewEventName> = Parameters<ReviewEvents[Name]>[0];

/** A listener that throws is logged and affects nothing else. */
export interface EventHub {
  /** Returns a function that removes the listener. */
  readonly on: <Name extends ReviewEventName>(
    name: Name,
    listener: ReviewEvents[Name],
  ) => () => void;
  readonly hears: (name: ReviewEventName) => boolean;
  /** Calls the listeners, then that of one run; makes the payload only if there are any. */
  readonly emit: <Name extends ReviewEventName>(
    name: Name,
    payload: () => Payload<Name>,
    own?: RunListeners[Name],
  ) => void;
}

/** Listeners for the events of one run, by the name of the event. */
export type RunListeners = { readonly [Name in ReviewEventName]?: ReviewEvents[Name] | undefined };

export const known: Readonly<Record<ReviewEventName, true>> = {
  'run-start': true,
  'produce-start': true,
  'produce-end': true,
  'version-produce': true,
  'review-start': true,
  'reviewer-start': true,
  'reviewer-end': true,
  'review-end': true,
  'fix-apply': true,
  'address-start': true,
  'address-end': true,
  'human-request': true,
  'budget-warn': true,
  'run-end': true,
};

export function eventHub(logger: Logger): EventHub {
  const emitter = new EventEmitter();
  let listening = 0;
  const hears = (name: ReviewEventName): boolean =>
    listening > 0 && emitter.listenerCount(name) > 0;
  const guarded =
    (name: ReviewEventName, listener: ReviewEvents[ReviewEventName]) =>
    (payload: unknown): void => {
      const complain = (error: unknown): void =>
        logger.error({ event: name, error: messageOf(error) }, 'an event listener threw');
      try {
        const result: unknown = Reflect.apply(listener, undefined, [payload]);
        if (result instanceof Promise) result.catch(complain);
      } catch (error) {
        complain(error);
      }
    };
  return {
    on: (name, listener) => {
      checkListener(name, listener);
      const call = guarded(name, listener);
      emitter.on(name, call);
      listening += 1;
      let isOn = true;
      return () => {
        if (!isOn) return;
        isOn = false;
        listening -= 1;
        emitter.off(name, call);
      };
    },
    hears,
    emit: (name, payload, own) => {
      if (own === undefined && !hears(name)) return;
      const made = deepFrozen(payload());
      emitter.emit(name, made);
      if (own !== undefined) guarded(name, own)(made);
    },
  };
}

export function checkListener(name: string, listener: unknown): void {
  if (!Object.hasOwn(known, name))
    throw invalid('event', `one of ${Object.keys(known).join(', ')}`, name);
  call('listener', listener);
}
