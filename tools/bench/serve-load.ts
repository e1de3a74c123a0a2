/**
 * `node serve-load.ts manifests|blob|push|patch ORIGIN PATH SECONDS|MIB [METHOD [ACCOUNT]]`: load
 * on one `/v2` over plain sockets, because a full HTTP client would take the second core. Prints
 * JSON.
 */
import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';

const [work, origin = '', path = '', amount = '1', ...how] = process.argv.slice(2);
const [readBy = 'GET', account = 'bench'] = how;
const { hostname, port, host } = new URL(origin);
const AUTHORIZATION = `Basic ${Buffer.from(`${account}:pass-of-${account}`).toString('base64')}`;
const ACCEPT = 'application/vnd.oci.image.manifest.v1+json';
const MIB = 1 << 20;

function head(method: string, at: string, more = ''): string {
  return `${method} ${at} HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${AUTHORIZATION}\r\naccept: ${ACCEPT}\r\n${more}\r\n`;
}

interface Reply {
  status: number;
  headers: string;
}

/** One request at a time; bodies are counted and dropped. */
function client() {
  let buffered = Buffer.alloc(0);
  let left = 0;
  let reply: Reply | null = null;
  let done: ((reply: Reply) => void) | null = null;
  const socket: Socket = connect({
    host: hostname,
    port: Number(port),
    onread: { buffer: Buffer.alloc(MIB), callback: (size, bytes) => receive(size, bytes) },
  });
  function receive(size: number, bytes: Uint8Array): boolean {
    if (reply !== null) left -= size;
    else {
      buffered = Buffer.concat([buffered, bytes.subarray(0, size)]);
      const end = buffered.indexOf('\r\n\r\n');
      if (end < 0) return true;
      const headers = buffered.subarray(0, end).toString('latin1');
      reply = { status: Number(headers.slice(9, 12)), headers };
      const length = readBy === 'HEAD' ? 0 : /^content-length: (\d+)/im.exec(headers)?.[1];
      left = Number(length ?? 0) - (buffered.length - end - 4);
    }
    if (left > 0) return true;
    const answer = reply;
    [buffered, reply] = [Buffer.alloc(0), null];
    done?.(answer);
    return true;
  }
  return {
    socket,
    ask: (text: string) =>
      new Promise<Reply>((resolve) => {
        done = resolve;
        socket.write(text);
      }),
  };
}

async function manifests(): Promise<object> {
  const until = performance.now() + Number(amount) * 1000;
  const taken: number[] = [];
  const lane = async () => {
    const { ask, socket } = client();
    while (performance.now() < until) {
      const started = performance.now();
      const { status } = await ask(head(readBy, path));
      if (status !== 200) throw new Error(`${path}: ${status}`);
      taken.push(performance.now() - started);
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  const sorted = taken.toSorted((a, b) => a - b);
  return { rate: taken.length / Number(amount), p50: sorted[sorted.length >> 1] };
}

async function blob(): Promise<object> {
  const { ask, socket } = client();
  const started = performance.now();
  const { status, headers } = await ask(head('GET', path));
  const seconds = (performance.now() - started) / 1000;
  socket.destroy();
  if (status !== 200) throw new Error(`${path}: ${status}`);
  const size = Number(/^content-length: (\d+)/im.exec(headers)?.[1]);
  return { rate: size / MIB / seconds };
}

/** One upload, its bytes in one PUT, or in one PATCH before an empty PUT as docker sends them. */
async function upload(isPatched: boolean): Promise<object> {
  const { ask, socket } = client();
  const chunk = Buffer.alloc(MIB, String(Math.random()));
  const count = Number(amount);
  const hash = createHash('sha256');
  for (let nth = 0; nth < count; nth += 1) hash.update(chunk);
  const digest = `sha256:${hash.digest('hex')}`;
  const started = performance.now();
  const begun = await ask(head('POST', path, 'content-length: 0\r\n'));
  const end = (reply: Reply) => {
    const at = placeIn(reply);
    at.searchParams.set('digest', digest);
    return at;
  };
  const send = async (method: string, at: URL) => {
    const type = `content-type: application/octet-stream\r\ncontent-length: ${count * MIB}\r\n`;
    const ended = ask(head(method, at.pathname + at.search, type));
    for (let nth = 0; nth < count; nth += 1)
      if (!socket.write(chunk)) await new Promise((resolve) => socket.once('drain', resolve));
    return ended;
  };
  let last: Reply;
  if (isPatched) {
    const at = end(await send('PATCH', placeIn(begun)));
    last = await ask(head('PUT', at.pathname + at.search, 'content-length: 0\r\n'));
  } else last = await send('PUT', end(begun));
  const { status } = last;
  const seconds = (performance.now() - started) / 1000;
  socket.destroy();
  if (status !== 201) throw new Error(`the upload ended with ${status}`);
  return { rate: count / seconds };
}

function placeIn({ headers }: Reply): URL {
  return new URL(/^location: (\S+)/im.exec(headers)?.[1] ?? '', origin);
}

const works: Record<string, () => Promise<object>> = {
  manifests,
  blob,
  push: () => upload(false),
  patch: () => upload(true),
};
const chosen = works[work ?? ''];
if (!chosen) throw new Error(`unknown work: ${work}`);
process.stdout.write(JSON.stringify(await chosen()));
