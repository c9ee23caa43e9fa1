import { describe, expect, it, vi } from 'vitest';
import { onAbort } from '@/core/abort-signal.js';

const watched = () => {
  const controller = new AbortController();
  const { signal } = controller;
  return {
    controller,
    signal,
    added: vi.spyOn(signal, 'addEventListener'),
    removed: vi.spyOn(signal, 'removeEventListener'),
  };
};

describe('onAbort', () => {
  it('has one listener for all who wait, and calls each once, in order', () => {
    const { controller, signal, added } = watched();
    const called: number[] = [];
    for (let index = 0; index < 50; index += 1) onAbort(signal, () => void called.push(index));
    expect(added).toHaveBeenCalledTimes(1);
    controller.abort();
    controller.abort();
    expect(called).toEqual(Array.from({ length: 50 }, (_, index) => index));
  });

  it('calls nobody who called it off, and takes the listener away with the last one', () => {
    const { controller, signal, added, removed } = watched();
    const called = vi.fn();
    const [first, second] = [onAbort(signal, called), onAbort(signal, called)];
    first();
    first();
    expect(removed).not.toHaveBeenCalled();
    second();
    expect(removed.mock.calls).toEqual(added.mock.calls.map((call) => call.slice(0, 2)));
    const third = onAbort(signal, called);
    expect(added).toHaveBeenCalledTimes(2);
    third();
    controller.abort();
    expect(called).not.toHaveBeenCalled();
  });

  it('keeps who still waits of the same function that waits twice, and lets one that is called add and call off others', () => {
    const { controller, signal } = watched();
    const called = vi.fn();
    onAbort(signal, called)();
    onAbort(signal, () => {
      ignore();
      onAbort(signal, called);
    });
    onAbort(signal, called);
    const ignore = onAbort(signal, () => {});
    controller.abort();
    expect(called).toHaveBeenCalledTimes(1);
  });

  it('never calls for a signal that is aborted already, or for none', () => {
    const called = vi.fn();
    onAbort(AbortSignal.abort(), called)();
    onAbort(undefined, called)();
    expect(called).not.toHaveBeenCalled();
  });
});
