/** For tests only: an account of the host that listens on ports which the product may dial. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Ports {
  postgres: number;
  redis: number;
  registry: number;
}

export interface Account {
  /** Left out: our own. */
  uid?: number;
  gid?: number;
  /** A Node that this account can execute: the one of a checkout below a closed home directory is none. */
  node: string;
}

/**
 * Listens on every port, tries again where one is taken, and answers as each service would to a client that it asks for
 * the password: PostgreSQL in clear text, Redis and the registry with a yes.
 */
const SQUATTER = `
const { createServer } = require('node:net');
const said = { postgres: Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]), redis: '+OK\\r\\n+PONG\\r\\n', registry: 'HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\n{}' };
for (const [name, port] of Object.entries(JSON.parse(process.argv[1]))) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      console.log('received ' + name + ' ' + bytes.toString('base64'));
      socket.write(said[name]);
    });
  });
  const listen = () => server.listen({ port, host: '127.0.0.1', exclusive: true });
  server.on('error', () => setTimeout(listen, 5));
  server.on('listening', () => console.log('listening ' + name));
  listen();
}
`;

export function squat(ports: Ports, account: Account) {
  const { child, output } = startAs(account, SQUATTER, [JSON.stringify(ports)]);
  const lines = (kind: string) =>
    output()
      .split('\n')
      .filter((line) => line.startsWith(`${kind} `))
      .map((line) => line.slice(kind.length + 1));
  return {
    /** Service and bytes, each once. */
    received: () =>
      [...new Set(lines('received'))].map((line) => {
        const [name = '', bytes = ''] = line.split(' ');
        return `${name}: ${Buffer.from(bytes, 'base64').toString('latin1')}`;
      }),
    /** The ports that it has. */
    listening: () => lines('listening'),
    output,
    async [Symbol.asyncDispose]() {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
}

/** A program of a few lines. */
export function startAs({ node, ...account }: Account, code: string, args: string[]) {
  const child = spawn(node, ['-e', code, ...args], {
    ...account,
    env: {},
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return { child, output: () => text };
}
