import type { TerminalStream } from '@/node/terminal/screen.js';

/** A terminal without a process that tells what it was sent, and changes its size. */
export function fakeTerminal(columns: number | undefined, rows: number) {
  const sent: string[] = [];
  const listeners = new Set<() => void>();
  const size = { columns, rows };
  const stream: TerminalStream = {
    isTTY: true,
    get columns() {
      return size.columns;
    },
    get rows() {
      return size.rows;
    },
    write: (text: string | Uint8Array) => {
      sent.push(String(text));
      return true;
    },
    on: (_, listener) => void listeners.add(listener),
    off: (_, listener) => void listeners.delete(listener),
  };
  return {
    stream,
    text: () => sent.join(''),
    /** How often something was sent. */
    frames: () => sent.length,
    resize: (newColumns: number, newRows: number) => {
      Object.assign(size, { columns: newColumns, rows: newRows });
      for (const listener of listeners) listener();
    },
  };
}
