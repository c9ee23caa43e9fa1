import { messageOf } from '../../core/errors.js';
import { waitingIn } from '../../ports/waiting-runs.js';
import type { InboxSettings } from './inbox-options.js';
import { inboxResponse, Refusal } from './inbox-response.js';

const mostStreams = 20;
const pollMs = 2_000;
/** After how many polls without a change a stream shows that it lives. */
const beat = 8;
/** So many of the newest runs are watched. */
const watched = 50;

export type InboxChange =
  | { readonly kind: 'list' }
  | {
      readonly kind: 'refused';
      readonly id: string;
      readonly error: string;
      readonly message: string;
    };

type Controller = ReadableStreamDefaultController<Uint8Array>;

/** The store is asked only while there is a stream. */
export class ChangeStreams {
  readonly #settings: Pick<InboxSettings, 'store' | 'clock' | 'logger' | 'others'>;
  readonly #open = new Set<Controller>();
  readonly #encoder = new TextEncoder();
  #stopClock: (() => void) | undefined;
  #known: string | undefined;
  #quiet = 0;

  constructor(settings: Pick<InboxSettings, 'store' | 'clock' | 'logger' | 'others'>) {
    this.#settings = settings;
  }

  /** Its first event is a change, so that a client reads the list after it. */
  open(): Response {
    if (this.#open.size >= mostStreams)
      throw new Refusal(503, 'too_many_streams', 'too many pages are open');
    let mine: Controller | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        mine = controller;
        this.#open.add(controller);
        controller.enqueue(this.#bytes({ kind: 'list' }));
        this.#stopClock ??= this.#later();
      },
      cancel: () => this.#remove(mine),
    });
    return inboxResponse(200, body, { 'content-type': 'text/event-stream; charset=utf-8' });
  }

  tell(change: InboxChange): void {
    this.#send(this.#bytes(change));
  }

  close(): void {
    for (const controller of this.#open) controller.close();
    this.#open.clear();
    this.#remove(undefined);
  }

  #later(): () => void {
    return this.#settings.clock.after(pollMs, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    try {
      const { store, others } = this.#settings;
      const { runs } = await waitingIn(store, { limit: watched });
      const shown = JSON.stringify(
        [...((await others?.()) ?? []), ...runs].map(({ questions }) =>
          questions.map(({ request }) => request.id),
        ),
      );
      // the first poll tells too: what came after the first event may be older than the poll
      if (shown !== this.#known) this.tell({ kind: 'list' });
      else this.#beat();
      this.#known = shown;
    } catch (error) {
      this.#settings.logger.warn({ error: messageOf(error) }, 'the store could not be read');
    }
    if (this.#stopClock !== undefined) this.#stopClock = this.#later();
  }

  #beat(): void {
    this.#quiet += 1;
    if (this.#quiet % beat === 0) this.#send(this.#encoder.encode(': still here\n\n'));
  }

  #send(bytes: Uint8Array): void {
    // a page that does not read is let go
    for (const controller of this.#open)
      if ((controller.desiredSize ?? 0) > -mostStreams) controller.enqueue(bytes);
      else {
        controller.error(new Error('the page does not read'));
        this.#remove(controller);
      }
  }

  #remove(controller: Controller | undefined): void {
    if (controller !== undefined) this.#open.delete(controller);
    if (this.#open.size > 0) return;
    this.#stopClock?.();
    this.#stopClock = undefined;
    this.#known = undefined;
  }

  #bytes(change: InboxChange): Uint8Array {
    return this.#encoder.encode(`data: ${JSON.stringify(change)}\n\n`);
  }
}
