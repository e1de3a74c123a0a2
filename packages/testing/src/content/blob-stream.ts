/**
 * Streams blobs of any size to and from a registry without holding them in memory, for tests of
 * memory use.
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request,
} from 'node:http';
import { finished } from 'node:stream/promises';

export interface BlobEnd {
  /** URL of the registry. */
  url: string;
  repository: string;
  authorization: string;
}

const MIB = 1024 * 1024;
const SUCCESS = 300;

/** Uploads random bytes in one stream, as docker does. @returns the blob's digest */
export async function streamUp(end: BlobEnd, mib: number): Promise<string> {
  const agent = new Agent();
  try {
    const begun = await send(end, {
      method: 'POST',
      path: `/v2/${end.repository}/blobs/uploads/`,
      agent,
    });
    const { location: next = '', digest } = await patch(
      end,
      { path: begun.headers.location, agent },
      mib,
    );
    const path = `${next}&digest=${digest}`;
    await send(end, { method: 'PUT', path, agent, headers: { 'content-length': 0 } });
    return digest;
  } finally {
    agent.destroy();
  }
}

async function patch(end: BlobEnd, options: RequestOptions, mib: number) {
  const headers = { 'content-length': mib * MIB, 'content-type': 'application/octet-stream' };
  const outgoing = open(end, { ...options, method: 'PATCH', headers });
  const answered = answerTo(outgoing);
  const hash = createHash('sha256');
  const bytes = randomBytes(MIB);
  for (let sent = 0; sent < mib; sent += 1) {
    const chunk = Buffer.from(bytes);
    chunk.writeUInt32BE(sent); // makes every chunk unique
    hash.update(chunk);
    if (!outgoing.write(chunk)) await once(outgoing, 'drain');
  }
  outgoing.end();
  const answer = await answered;
  await drained(answer);
  return { location: answer.headers.location, digest: `sha256:${hash.digest('hex')}` };
}

/** @returns the digest of the received bytes */
export async function streamDown(end: BlobEnd, digest: string): Promise<string> {
  const outgoing = open(end, { path: `/v2/${end.repository}/blobs/${digest}`, agent: false });
  outgoing.end();
  const answer = await answerTo(outgoing);
  const hash = createHash('sha256');
  answer.on('data', (chunk: Buffer) => hash.update(chunk));
  await finished(answer);
  return `sha256:${hash.digest('hex')}`;
}

async function send(end: BlobEnd, options: RequestOptions): Promise<IncomingMessage> {
  const outgoing = open(end, options);
  outgoing.end();
  const answer = await answerTo(outgoing);
  await drained(answer);
  return answer;
}

async function answerTo(outgoing: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return answer;
}

async function drained(answer: IncomingMessage): Promise<void> {
  answer.resume();
  await finished(answer);
  const { statusCode = 0 } = answer;
  if (statusCode >= SUCCESS) throw new Error(`the registry answered ${statusCode}`);
}

function open({ url, authorization }: BlobEnd, options: RequestOptions) {
  return request(url, { ...options, headers: { ...options.headers, authorization } });
}
