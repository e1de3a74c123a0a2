/** Malicious targets: registries that refuse, lose or misreport data while a job pushes to them. */
import type { IncomingHttpHeaders } from 'node:http';
import {
  fetchManifest,
  pushImage,
  randomImage,
  sha256,
  startRegistry,
  type TestImage,
  type TestRegistry,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, openHarness } from './harness.ts';
import { type Behaviour, type FaultyRegistry, type Seen, startProxy } from './proxy.ts';

type Follows = 'pushed' | { code: string; retryable: boolean };
type Row = [target: string, follows: Follows, behave: (world: World) => Behaviour];

interface World {
  elsewhere: FaultyRegistry;
  inner: string;
}

const refused = (code: string): Follows => ({ code, retryable: false });
const retriedThenFailed = (code: string): Follows => ({ code, retryable: true });

const writes = ({ method }: Seen) => method === 'PUT' || method === 'PATCH' || method === 'POST';
const toBlob = (seen: Seen) => writes(seen) && seen.path.includes('/blobs/');
const ofBlob = (seen: Seen) => seen.method === 'PUT' && seen.path.includes('/blobs/uploads/');
const ofManifest = (seen: Seen) => seen.method === 'PUT' && seen.path.includes('/manifests/');
const OTHER = sha256(Buffer.from('something else'));

function times<T>(count: number, which: (seen: Seen) => boolean, value: T) {
  let left = count;
  return (seen: Seen) => (which(seen) && left-- > 0 ? value : null);
}

const always = <T>(which: (seen: Seen) => boolean, value: T) =>
  times(Number.POSITIVE_INFINITY, which, value);

/** The response that starts each upload names another address. */
const goesOnAt =
  (place: (location: URL) => string | undefined) => (seen: Seen, headers: IncomingHttpHeaders) => {
    if (seen.method !== 'POST' || !headers.location) return;
    const location = place(new URL(headers.location, 'http://upstream'));
    delete headers.location;
    if (location !== undefined) headers.location = location;
  };

const REFUSING: Row[] = [
  [
    'refuses uploads',
    refused('REGISTRY_FORBIDDEN'),
    () => ({ answer: always(toBlob, { status: 403 }) }),
  ],
  [
    'wants a login',
    refused('REGISTRY_UNAUTHENTICATED'),
    () => ({ answer: always(toBlob, { status: 401 }) }),
  ],
  [
    'accepts a blob neither as a whole nor in small chunks',
    refused('REGISTRY_REFUSED'),
    () => ({
      answer: always((seen) => ofBlob(seen) || seen.method === 'PATCH', { status: 413 }),
    }),
  ],
  ['takes blobs in chunks only', 'pushed', () => ({ answer: wantsChunks() })],
  [
    'fails each upload',
    retriedThenFailed('REGISTRY_UNAVAILABLE'),
    () => ({ answer: always(ofBlob, { status: 500 }) }),
  ],
  [
    'sends Retry-After of a day',
    retriedThenFailed('REGISTRY_RATE_LIMITED'),
    () => ({ answer: always(toBlob, { status: 429, headers: { 'retry-after': '86400' } }) }),
  ],
  [
    'refuses the manifest',
    refused('REGISTRY_REFUSED'),
    () => ({ answer: always(ofManifest, { status: 400 }) }),
  ],
];

/** Accepts an upload's end only after data was sent. */
function wantsChunks(): NonNullable<Behaviour['answer']> {
  const begun = new Set<string>();
  return (seen) => {
    const [upload = ''] = seen.path.split('?');
    if (seen.method === 'PATCH') begun.add(upload);
    return ofBlob(seen) && !begun.has(upload) ? { status: 413 } : null;
  };
}

const LOSING: Row[] = [
  ['drops an upload once', 'pushed', () => ({ lose: times(1, ofBlob, 'request') })],
  ['loses the answer to an upload once', 'pushed', () => ({ lose: times(1, ofBlob, 'answer') })],
  [
    'loses the answer to the manifest once',
    'pushed',
    () => ({ lose: times(1, ofManifest, 'answer') }),
  ],
  [
    'drops each upload',
    retriedThenFailed('REGISTRY_UNREACHABLE'),
    () => ({ lose: always(ofBlob, 'request') }),
  ],
];

const LYING: Row[] = [
  [
    'claims to have every blob, and has none',
    retriedThenFailed('REGISTRY_LACKS_BLOB'),
    () => ({
      answer: (seen) =>
        seen.method === 'HEAD' && seen.path.includes('/blobs/') ? { status: 200 } : null,
    }),
  ],
  [
    'claims to have stored a blob that it dropped',
    retriedThenFailed('REGISTRY_LACKS_BLOB'),
    () => ({ answer: always(ofBlob, { status: 201 }) }),
  ],
  [
    'claims to have stored another manifest, and serves the right one',
    'pushed',
    () => ({
      alter: (seen, headers) => {
        if (ofManifest(seen)) headers['docker-content-digest'] = OTHER;
      },
    }),
  ],
  [
    'has another manifest under the tag afterwards',
    refused('TARGET_DIGEST_MISMATCH'),
    () => {
      let stored = false;
      return {
        alter: (seen, headers) => {
          stored ||= ofManifest(seen);
          if (stored && seen.method === 'HEAD' && seen.path.includes('/manifests/'))
            headers['docker-content-digest'] = OTHER;
        },
      };
    },
  ],
  [
    'requests the same chunk without end',
    retriedThenFailed('REGISTRY_ANSWER_INVALID'),
    () => ({ answer: chunked(() => '0-0') }),
  ],
  [
    'claims to have more of an upload than was sent',
    retriedThenFailed('REGISTRY_ANSWER_INVALID'),
    () => ({ answer: chunked(() => '0-99999999999999999999') }),
  ],
];

/** Takes blobs in chunks, and reports this offset after each of them. */
function chunked(range: () => string): NonNullable<Behaviour['answer']> {
  return (seen) => {
    if (ofBlob(seen)) return { status: 413 };
    if (seen.method !== 'PATCH') return null;
    return { status: 202, headers: { location: seen.path, range: range() } };
  };
}

const ELSEWHERE: Row[] = [
  [
    'accepts blobs at another host, which requests the credentials too',
    refused('REGISTRY_UNAUTHENTICATED'),
    ({ elsewhere }) => ({
      alter: goesOnAt(({ pathname, search }) => `${elsewhere.url}${pathname}${search}`),
    }),
  ],
  [
    'accepts blobs at an internal service of ours',
    refused('EGRESS_OWN_SERVICE'),
    ({ inner }) => ({ alter: goesOnAt(({ pathname, search }) => `${inner}${pathname}${search}`) }),
  ],
  [
    'redirects uploads to a file',
    retriedThenFailed('REGISTRY_ANSWER_INVALID'),
    () => ({ alter: goesOnAt(() => 'file:///etc/passwd') }),
  ],
  [
    'does not state the location of an upload',
    retriedThenFailed('REGISTRY_ANSWER_INVALID'),
    () => ({ alter: goesOnAt(() => undefined) }),
  ],
];

const ROWS = [...REFUSING, ...LOSING, ...LYING, ...ELSEWHERE];

interface Run {
  jobId: string;
  image: TestImage;
  repository: string;
  target: FaultyRegistry;
}

let harness: Harness;
let source: TestRegistry;
let behind: TestRegistry;
let elsewhere: FaultyRegistry;
const runs = new Map<string, Run>();
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  harness = parts.use(await openHarness());
  [source, behind] = await Promise.all([startRegistry(), startRegistry({ auth: 'basic' })]);
  parts.defer(async () => void (await Promise.all([source.stop(), behind.stop()])));
  elsewhere = parts.use(await startProxy(behind.url));
  await harness.startWorker({
    WORKER_CONCURRENCY: 'pull=8,scan=4,push=16',
    STAGE_TRIES: '1',
    SILENCE_SECONDS: '5',
  });
  await Promise.all(ROWS.map(begin));
});
afterAll(() => parts.disposeAsync());

async function begin([name, , behave]: Row, position: number): Promise<void> {
  const repository = `gate/row-${position}`;
  const image = await randomImage({ bytes: 100_000 });
  await pushImage(source.url, `team/row-${position}`, '1', image);
  const world = { elsewhere, inner: harness.registry.url };
  const target = parts.use(await startProxy(behind.url, behave(world)));
  const saved = await harness.store.registries.insert({
    name: `row-${position}`,
    host: target.host,
    useTls: false,
    ...behind.credentials,
  });
  const job = await harness.submit({ image: `team/row-${position}`, tag: '1', host: source.host });
  await harness.settled(job.id);
  await harness.push(job.id, {
    repository,
    tag: '1',
    kind: 'registry',
    registryId: saved.id,
    host: target.host,
  });
  runs.set(name, { jobId: job.id, image, repository, target });
}

const words = (follows: Follows) =>
  follows === 'pushed'
    ? 'gets the image, byte for byte'
    : `ends the push in ${follows.code}, which ${follows.retryable ? 'may' : 'can not'} pass`;

describe('a target that', () => {
  it.each(ROWS.map(([name, follows]) => [name, words(follows), follows] as const))(
    '%s %s',
    async (name, _, follows) => {
      const run = runs.get(name);
      if (!run) throw new Error('it was not begun');
      const { status, error, pushes } = await harness.settled(run.jobId);
      if (follows === 'pushed') {
        expect({ status, error }).toEqual({ status: 'pushed', error: null });
        const there = await fetchManifest(behind.url, run.repository, '1', behind);
        expect(Buffer.from(there.body).equals(run.image.bytes)).toBe(true);
      } else {
        const { code, retryable, side } = pushes[0]?.error ?? {};
        expect({ code, retryable, side }, pushes[0]?.error?.message).toEqual({
          ...follows,
          side: 'target',
        });
        expect(status).not.toBe('pushed');
      }
      expect(run.target.seen.length).toBeLessThan(80);
    },
  );

  it('no credentials reached another host', () => {
    expect(elsewhere.seen.length).toBeGreaterThan(0);
    expect(elsewhere.seen.filter(({ authorization }) => authorization !== null)).toEqual([]);
  });
});
