/**
 * Relays Redis to a loopback port for a Trivy process. Trivy connects by TCP only, so this makes a
 * Redis on a Unix socket reachable. The port requires a password made for this relay and replaces
 * it with the real one, which never leaves our process. The relay also records which keys Trivy
 * reads, because its report does not name the analyses that it was made from, and keeps what it
 * writes apart (`redis-keys.ts`).
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, isIP, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { primaryOf, type RedisTarget, readRedisUrl } from '@portcullis/runtime';
import { createScanKeys, type ScanKeys, type WrittenKey } from './redis-keys.ts';
import { readCommand, writeCommand } from './redis-protocol.ts';

export interface RedisRelay extends AsyncDisposable {
  /** A `redis://` URL over TCP. */
  url: string;
  /** The keys that clients read since the last call, in order; null where that is unknown. */
  takeReads(): string[] | null;
  /** What clients wrote since the last call. */
  takeWritten(): WrittenKey[];
}

const USER = 'scan';

export async function relayRedis(url: string): Promise<RedisRelay> {
  const target = readRedisUrl(url);
  const { username: user = 'default', password = '' } = target.login;
  const real = { user, password };
  const secret = randomBytes(24).toString('base64url');
  const open = new Set<Socket>();
  const keys = createScanKeys();
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => open.delete(socket));
    return socket;
  };
  const server = createServer((client) => {
    keep(client);
    introduce(client, { secret, real }, async (greeting, rest) => {
      const connected = await connectTo(target).catch(() => null);
      if (connected === null) return void client.destroy();
      const redis = keep(connected);
      if (client.destroyed) return void redis.destroy();
      redis.once('close', () => client.destroy());
      client.once('close', () => redis.destroy());
      const commands = rewriting(keys);
      commands.on('error', () => client.destroy());
      redis.write(greeting);
      commands.write(rest);
      client.pipe(commands).pipe(redis).pipe(client);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `redis://${USER}:${secret}@127.0.0.1:${port}/${target.db}`,
    takeReads: keys.takeReads,
    takeWritten: keys.takeWritten,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** A client that sends what we do not understand is disconnected. */
function rewriting(keys: ScanKeys): Transform {
  const rewrite = keys.connection();
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const rewritten = rewrite(chunk);
      if (rewritten === null) done(new Error('no command of Redis that we know'));
      else done(null, rewritten);
    },
  });
}

async function connectTo(target: RedisTarget): Promise<Socket> {
  if (target.kind === 'socket') return connect(target.path);
  const address = target.kind === 'server' ? target.address : await primaryOf(target);
  if (!target.tls) return connect(address);
  return connectTls({ ...address, ...(!isIP(address.host) && { servername: address.host }) });
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
function introduce(
  client: Socket,
  login: Login,
  then: (greeting: Buffer, rest: Buffer) => void,
): void {
  let held = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    const greeting = readCommand(held);
    if (greeting === null && held.length < LONGEST_GREETING) return;
    client.off('data', onData).pause();
    const words = greeting && withRealLogin(greeting.words, login);
    if (!greeting || !words) client.destroy();
    else then(writeCommand(words), held.subarray(greeting.end));
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
