/** Terminal input and output. Results go to standard output, everything else to standard error. */
import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { invalid } from '@portcullis/errors';
import { plainText } from './plain-text.ts';

export interface Terminal {
  /** Whether a person can be asked. */
  interactive: boolean;
  note(text: string): void;
  /** Typed without echo, or the next line of standard input. @throws invalid `SECRET_MISSING` */
  secret(label: string): Promise<string>;
  close(): void;
}

export interface Streams {
  input: Readable & { isTTY?: boolean };
  notes: Writable & { isTTY?: boolean };
}

export function openTerminal({ input, notes }: Streams): Terminal {
  const interactive = input.isTTY === true && notes.isTTY === true;
  const note = (text: string) => void notes.write(`${plainText(text)}\n`);
  let lines: ReturnType<typeof readLines> | null = null;

  async function secret(label: string): Promise<string> {
    lines ??= readLines(input, interactive);
    if (interactive) notes.write(`${label}: `);
    const line = await lines.next();
    if (interactive) notes.write('\n');
    if (!line) throw invalid('SECRET_MISSING', `${label}: nothing was given on standard input`);
    return line;
  }

  return { interactive, note, secret, close: () => lines?.close() };
}

/** One reader for all lines: a second one would miss what the first has buffered. */
function readLines(input: Readable, terminal: boolean) {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: silent, terminal });
  const iterator = reader[Symbol.asyncIterator]();
  return {
    next: async () => (await iterator.next()).value ?? '',
    close: () => reader.close(),
  };
}
