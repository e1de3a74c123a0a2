/** A row of the tables of malicious sources, and helpers that most rows share. */
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { randomImage, type TestBlob, type TestImage } from '@portcullis/testing';
import type { HostileRegistry, HostileRequest, Hostility } from '../hostile.ts';

export interface World {
  /** A second host with the bytes of every image; no credentials may reach it. */
  elsewhere: HostileRegistry;
}

/** The job is staged with the digest of the image, or failed with this error. */
export type Follows = 'staged' | { code: string; retryable: boolean; side?: 'source' | null };

export interface HostileCase {
  /** Completes the sentence `a source that …`. */
  source: string;
  /** The first one is under every tag. */
  images?: () => Promise<TestImage[]>;
  behave?: (world: World) => Hostility;
  referrers?: boolean;
  /** The job has credentials for the source. */
  login?: boolean;
  follows: Follows;
  /** Maximum number of requests of the job; default 60. */
  atMost?: number;
}

export const LOGIN = { username: 'u', password: 'sesame' };
export const BASIC = `Basic ${Buffer.from(`${LOGIN.username}:${LOGIN.password}`).toString('base64')}`;

export const refused = (code: string): Follows => ({ code, retryable: false });
export const retriedThenFailed = (code: string): Follows => ({ code, retryable: true });

/** Two layers, one of them large enough to be cut. */
export const ordinary = async (): Promise<TestImage[]> => [
  await randomImage({ layers: 2, bytes: 200_000 }),
];

type Respond = (request: HostileRequest & { content: TestBlob }, response: ServerResponse) => void;

/** Misbehaves in the first requests for blobs, or for manifests. */
export function at(
  kind: 'blob' | 'manifest',
  respond: Respond,
  times = Number.POSITIVE_INFINITY,
): Hostility {
  let left = times;
  return (request, response) => {
    const { content } = request;
    if (request.kind !== kind || request.method !== 'GET' || !content || left-- <= 0) return false;
    respond({ ...request, content }, response);
    return true;
  };
}

/** For layers only: each registry is asked for the configuration, too. */
export function atLayers(respond: Respond, times?: number): Hostility {
  const behave = at('blob', respond, times);
  return (request, response) =>
    (request.content?.bytes.length ?? 0) > 100_000 && behave(request, response) === true;
}

export function status(code: number, headers: Record<string, string> = {}, body = ''): Respond {
  return (_, response) => void response.writeHead(code, headers).end(body);
}

/** Writes as much as the other side accepts, until it disconnects. */
export function writeEndlessly(response: Writable, piece: Uint8Array) {
  const more = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more);
  more();
}

/** Announces the full length, sends part of the content and disconnects. */
export function cutAt(part: number, how: 'end' | 'reset'): Respond {
  return ({ content: { bytes }, headers }, response) => {
    const from = Number(/^bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': bytes.length - from,
      ...(from > 0 && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    });
    const end = () =>
      how === 'reset' ? response.socket?.resetAndDestroy() : response.socket?.destroy();
    response.write(bytes.subarray(from, from + part), end);
  };
}

export function flipped(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte, position) => (position === 0 ? byte ^ 1 : byte));
}
