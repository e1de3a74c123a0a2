/**
 * Relays a Redis that listens on a Unix socket to a loopback port during one scan, because Trivy
 * connects to Redis by TCP only. The port requires a password made for this scan and replaces it
 * with the real one, which never leaves this process.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { socketOf } from '@portcullis/runtime';

export interface RedisRelay extends AsyncDisposable {
  /** A `redis://` URL over TCP. */
  url: string;
}

const USER = 'scan';

/** A URL with a host name is returned unchanged. */
export async function relayRedis(url: string): Promise<RedisRelay> {
  const path = socketOf(url);
  if (path === null) return { url, [Symbol.asyncDispose]: async () => {} };
  const { username, password, pathname } = new URL(url);
  const real = {
    user: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
  };
  const secret = randomBytes(24).toString('base64url');
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => open.delete(socket));
    return socket;
  };
  const server = createServer((client) => {
    keep(client);
    introduce(client, { secret, real }, (first) => {
      const redis = keep(connect(path));
      redis.once('close', () => client.destroy());
      client.once('close', () => redis.destroy());
      redis.write(first);
      client.pipe(redis).pipe(client);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `redis://${USER}:${secret}@127.0.0.1:${port}${pathname}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

interface Login {
  secret: string;
  real: { user: string; password: string };
}

const LONGEST_GREETING = 4096;

/**
 * Reads the client's greeting and forwards it with the real credentials; a client with another
 * password is disconnected.
 */
function introduce(client: Socket, login: Login, then: (first: Buffer) => void): void {
  let held = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    const greeting = readCommand(held);
    if (greeting === null && held.length < LONGEST_GREETING) return;
    client.off('data', onData).pause();
    const words = greeting && withRealLogin(greeting.words, login);
    if (!greeting || !words) client.destroy();
    else then(Buffer.concat([command(words), held.subarray(greeting.end)]));
  };
  client.on('data', onData);
}

/**
 * Rewrites `HELLO 3 AUTH user password …`, with which Trivy's client greets every Redis since 6.0.
 */
function withRealLogin(words: string[], { secret, real }: Login): string[] | null {
  const [hello = '', version = '', auth = '', user, password = '', ...rest] = words;
  const greets = hello.toUpperCase() === 'HELLO' && auth.toUpperCase() === 'AUTH' && user === USER;
  return greets && isSame(password, secret)
    ? [hello, version, auth, real.user, real.password, ...rest]
    : null;
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * The first command of the Redis protocol (RESP § Sending commands) and its end; null where it is
 * incomplete or invalid.
 */
function readCommand(bytes: Buffer): { words: string[]; end: number } | null {
  const line = (from: number, mark: string): { value: number; end: number } | null => {
    const end = bytes.indexOf('\r\n', from);
    const text = end < 0 ? '' : bytes.toString('latin1', from, end);
    return text.startsWith(mark) && /^.\d{1,6}$/.test(text)
      ? { value: Number(text.slice(1)), end: end + 2 }
      : null;
  };
  const count = line(0, '*');
  const words: string[] = [];
  let at = count?.end ?? 0;
  for (let n = 0; n < (count?.value ?? 0); n++) {
    const length = line(at, '$');
    if (!length || bytes.length < length.end + length.value + 2) return null;
    words.push(bytes.toString('utf8', length.end, length.end + length.value));
    at = length.end + length.value + 2;
  }
  return words.length === 0 ? null : { words, end: at };
}

function command(words: readonly string[]): Buffer {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  return Buffer.from(`*${words.length}\r\n${parts.join('')}`);
}
