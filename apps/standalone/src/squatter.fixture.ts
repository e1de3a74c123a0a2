/**
 * For tests only: another account of the host that listens on ports to which the product may
 * connect.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Ports {
  postgres: number;
  redis: number;
  registry: number;
}

export interface Account {
  /** Omitted: our own account. */
  uid?: number;
  gid?: number;
  /**
   * A Node binary that this account can execute: that of a checkout below a closed home directory
   * is not.
   */
  node: string;
}

/**
 * Listens on every port, retries where one is taken, and answers each service's clients so that
 * they send the password: PostgreSQL asks for it in clear text, Redis and the registry accept any.
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
    listening: () => lines('listening'),
    output,
    async [Symbol.asyncDispose]() {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
}

/** Runs a small program as another account. */
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
