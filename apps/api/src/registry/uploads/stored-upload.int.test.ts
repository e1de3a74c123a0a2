/**
 * Uploads into the registry's storage get the registry's replies, header for header, whatever is
 * asked and in any order.
 */
import { createHash } from 'node:crypto';
import { blobOf, pushBlob } from '@portcullis/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { as, type ServedV2, type StartedV2, serveV2, startV2 } from '../v2.fixture.ts';

let stored: StartedV2;
let forwarded: ServedV2;
const BYTES = Buffer.from('some bytes of a blob that are sent in parts');
const MOUNTED = blobOf('application/octet-stream', Buffer.from('in another repository'));
const ABSENT = `sha256:${'0'.repeat(64)}`;

beforeAll(async () => {
  stored = await startV2();
  forwarded = await serveV2(stored.registry.loginUrl);
  await pushBlob(stored.registry.url, 'team/from', MOUNTED);
  // The first blob that the registry confirms: mounts follow it.
  await push(stored, Buffer.from('first'));
});
afterAll(async () => {
  await forwarded?.stop();
  await stored?.stop();
});

const digestBy = (algorithm: string, bytes: Uint8Array) =>
  `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`;

async function push(v2: ServedV2, bytes: Buffer): Promise<number> {
  const begun = await v2.ask('POST', '/v2/team/app/blobs/uploads/');
  const end = `${begun.headers.get('location')}&digest=${digestBy('sha256', bytes)}`;
  return (await v2.ask('PUT', end, { body: new Uint8Array(bytes) })).status;
}

interface Step {
  method: 'PATCH' | 'PUT' | 'GET' | 'DELETE';
  bytes: number;
  range: 'none' | 'right' | 'gap' | 'again' | 'long' | 'nonsense';
  digest: 'right' | 'sha512' | 'wrong' | 'none';
  address: 'latest' | 'first';
}

const steps = fc.array(
  fc.record<Step>({
    method: fc.constantFrom('PATCH', 'PATCH', 'PATCH', 'PUT', 'GET', 'DELETE'),
    bytes: fc.constantFrom(0, 1, 7, 20),
    range: fc.constantFrom('none', 'none', 'right', 'right', 'gap', 'again', 'long', 'nonsense'),
    digest: fc.constantFrom('right', 'right', 'sha512', 'wrong', 'none'),
    address: fc.constantFrom('latest', 'latest', 'latest', 'first'),
  }),
  { minLength: 1, maxLength: 6 },
);

const starts = fc.constantFrom(
  '',
  '?digest-algorithm=sha512',
  `?mount=${ABSENT}&from=team/from`,
  `?mount=${MOUNTED.descriptor.digest}`,
  `?mount=${MOUNTED.descriptor.digest}&from=team/from`,
  `?mount=${MOUNTED.descriptor.digest}&from=secret/app`,
);

const DIGESTS = {
  right: (bytes: Uint8Array) => `&digest=${digestBy('sha256', bytes)}`,
  sha512: (bytes: Uint8Array) => `&digest=${digestBy('sha512', bytes)}`,
  wrong: () => `&digest=${ABSENT}`,
  none: () => '',
};

function rangeOf({ range, bytes }: Step, offset: number): string | undefined {
  if (range === 'none') return undefined;
  const begin = range === 'gap' ? offset + 3 : range === 'again' ? Math.max(0, offset - 1) : offset;
  const end = begin + bytes - 1 + (range === 'long' ? 2 : 0);
  return range === 'nonsense' ? range : `${begin}-${end}`;
}

/** What differs between any two replies, and the identity of the upload, are left out. */
async function seen(response: Response) {
  const headers = [...response.headers]
    .filter(([name]) => !['date', 'keep-alive', 'x-request-id', 'etag'].includes(name))
    // An error's body is ours or the registry's, with the same code.
    .filter(([name]) => response.status < 400 || !/^content-(?:length|type)$/.test(name))
    .map(([name, value]) => [
      name,
      value.replace(/(?:stored-)?[0-9a-f-]{36}/, 'ID').replaceAll(/(_state|_owner)=[^&]*/g, '$1'),
    ])
    .map(([name = '', value = '']) => [name, name === 'location' ? sortedQuery(value) : value])
    .sort();
  const text = await response.text();
  const code = response.status < 400 ? text : JSON.parse(text).errors[0].code;
  return { status: response.status, headers, code };
}

function sortedQuery(location: string): string {
  const [path, query = ''] = location.split('?');
  return `${path}?${query.split('&').sort().join('&')}`;
}

async function replies(v2: ServedV2, start: string, asked: Step[]) {
  const begun = await fetch(
    `${v2.url}/v2/team/app/blobs/uploads/${start}`,
    as('writer', { method: 'POST' }),
  );
  const first = begun.headers.get('location') ?? '';
  const all = [await seen(begun)];
  if (begun.status !== 202) return all;
  let latest = first;
  let sent = Buffer.alloc(0);
  for (const step of asked) {
    const body = BYTES.subarray(sent.length, sent.length + step.bytes);
    const whole = Buffer.concat([sent, body]);
    const range = rangeOf({ ...step, bytes: body.length }, sent.length);
    const hasBody = step.method === 'PATCH' || step.method === 'PUT';
    const address = step.address === 'first' ? first : latest;
    const response = await v2.ask(
      step.method,
      address + (step.method === 'PUT' ? DIGESTS[step.digest](whole) : ''),
      {
        ...(hasBody && { body: new Uint8Array(body) }),
        ...(hasBody && range !== undefined && { headers: { 'content-range': range } }),
      },
    );
    if (response.status < 300 && step.method === 'PATCH') sent = whole;
    if (response.status === 202 || response.status === 204 || response.status === 416)
      latest = response.headers.get('location') ?? latest;
    const reply = await seen(response);
    all.push(reply);
    // The registry keeps an empty upload whose digest was wrong; ours is gone.
    if (reply.code === 'DIGEST_INVALID' && step.digest === 'wrong') return all;
    if (hasEnded(step, reply)) return [...all, await seen(await v2.ask('GET', latest))];
  }
  return all;
}

/** After that, each order of chunks is a 404 of ours, and some a 416 of the registry's. */
function hasEnded({ method }: Step, { status }: { status: number }): boolean {
  return (method === 'DELETE' && status === 204) || (method === 'PUT' && status === 201);
}

describe('a reply to a request about an upload', () => {
  it('is the registry’s', async () => {
    await fc.assert(
      fc.asyncProperty(starts, steps, async (start, asked) => {
        const [ours, theirs] = await Promise.all([
          replies(stored, start, asked),
          replies(forwarded, start, asked),
        ]);
        expect(ours).toEqual(theirs);
      }),
      { numRuns: 40 },
    );
  });
});

it('a POST that has the blob as well stores it, which the registry does not', async () => {
  const digest = digestBy('sha256', BYTES);
  const post = (bytes: Buffer, of = digest) =>
    stored.ask('POST', `/v2/team/whole/blobs/uploads/?digest=${of}`, {
      body: new Uint8Array(bytes),
    });
  const reply = await post(BYTES);
  expect([reply.status, reply.headers.get('location')]).toEqual([
    201,
    `/v2/team/whole/blobs/${digest}`,
  ]);
  expect((await post(BYTES, ABSENT)).status).toBe(400);
  const begun = await stored.ask('POST', `/v2/team/whole/blobs/uploads/?digest=${digest}`);
  expect(begun.status).toBe(202);
});

it('the upload of another account, or into another repository, is unknown', async () => {
  const begun = await stored.ask('POST', '/v2/team/app/blobs/uploads/');
  const location = begun.headers.get('location') ?? '';
  const asOther = await fetch(stored.url + location, as('other', { method: 'PATCH', body: 'x' }));
  expect(asOther.status).toBe(404);
  const elsewhere = location.replace('/team/app/', '/team/else/');
  expect((await stored.ask('PATCH', elsewhere, { body: 'x' })).status).toBe(404);
  expect((await stored.ask('PATCH', location, { body: 'x' })).status).toBe(202);
});
