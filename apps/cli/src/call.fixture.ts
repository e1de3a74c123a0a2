/**
 * Runs the command within the process of the test, without the start of a process, which takes most
 * of the time of a short command. `cli.fixture.ts` starts one.
 */
import { Readable, Writable } from 'node:stream';
import { processEnv } from '@portcullis/testing';
import type { Ran } from './cli.fixture.ts';
import { runProgram } from './program.ts';

export interface CallOptions {
  env: Record<string, string>;
  input?: string;
}

export async function callCli(
  args: readonly string[],
  { env, input = '' }: CallOptions,
): Promise<Ran> {
  const { HOME = '', PORTCULLIS_CACHE = '' } = process.env;
  const [out, err] = [collector(), collector()];
  const code = await runProgram(args, {
    env: { ...processEnv, HOME, PORTCULLIS_CACHE, ...env },
    input: Readable.from([Buffer.from(input)]),
    output: out.stream,
    notes: err.stream,
    onInterrupt() {},
  });
  return { code, out: out.text(), err: err.text() };
}

function collector() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
