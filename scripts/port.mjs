/** Checks that the port of `npm start` is free before an installation that takes minutes. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { Failure, ROOT } from './process.mjs';

/**
 * Invalid values are left to the program, which reports all of them; a port that a killed start may
 * still hold is left to it as well, because it ends what that start left running.
 */
export async function checkPort({ PORT = '', HOST = '', DATA_DIR = '' }) {
  const port = PORT === '' ? 8080 : Number(PORT);
  const host = HOST === '' ? '127.0.0.1' : HOST;
  const isNumber = Number.isInteger(port) && port > 0 && port < 65_536;
  if (!isNumber || existsSync(join(resolve(ROOT, DATA_DIR || 'data'), 'run'))) return;
  if (await isFree(port, host)) return;
  throw new Failure(
    `${host}:${port} is in use by another program, or not ours to take; set PORT to another number`,
  );
}

function isFree(port, host) {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => done(true)));
  });
}
