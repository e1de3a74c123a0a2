/**
 * `npm run bench push-clients [-- clients [images [tags before]]]`: clients with an account each
 * push small images into one repository through `/v2`, with default settings, audit log and image
 * index. Prints the rate, the CPU of each process for one image, and what was lost: nothing.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { AIMS, marked } from './aims.ts';
import { watchCpu } from './cpu.ts';
import { run } from './measure.ts';

const [clients = '200', images = '2000', tagsBefore = '0'] = process.argv.slice(2);
const SECONDS = '120';
const REPOSITORY = 'team/app';

const file = (name: string) => path.join(import.meta.dirname, name);
const server = spawn(
  process.execPath,
  ['--max-semi-space-size=1', file('push-server.ts'), clients, tagsBefore, REPOSITORY],
  { stdio: ['pipe', 'pipe', 'inherit'] },
);
const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
const answer = async () => JSON.parse((await lines.next()).value ?? '{}');

try {
  const { url, database, pids, tokens } = await answer();
  const spent = watchCpu({ pids, database });
  const load = [process.execPath, file('push-load.ts'), url, REPOSITORY, images, SECONDS];
  const { output } = await run(load, JSON.stringify(tokens));
  const result = JSON.parse(output);
  const each = (ms: number) => `${(ms / result.pushed).toFixed(1)} ms`;
  const costs = Object.entries(spent()).map(([name, ms]) => `${name} ${each(ms)}`);
  server.stdin.end();
  process.stdout.write(`${JSON.stringify({ ...result, ...(await answer()) })}\n`);
  process.stdout.write(`${marked(AIMS.pushClients, result.pushed / result.seconds)}\n`);
  process.stdout.write(`CPU for one image: ${costs.join(', ')}\n`);
} finally {
  server.stdin.end();
  await once(server, 'exit');
}
