/** Checks that a Redis answers at a URL. Called before each scan, because Trivy does not check. */
import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { socketOf } from '@portcullis/runtime';

const PATIENCE_MS = 1_000;

/** Any answer counts, even one that asks for a password: Trivy has it. */
export function redisAnswers(url: string): Promise<boolean> {
  const socket = dial(url);
  return new Promise((resolve) => {
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PATIENCE_MS, () => settle(false));
    socket.once('error', () => settle(false));
    socket.once('close', () => settle(false));
    socket.once('data', (reply) => settle(/^[+-]/.test(reply.toString('latin1'))));
    socket.write('PING\r\n');
  });
}

function dial(url: string) {
  const path = socketOf(url);
  if (path !== null) return connectPlain(path);
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const to = { host, port: Number(port || 6379) };
  return protocol === 'rediss:' ? connectTls({ ...to, servername: host }) : connectPlain(to);
}
