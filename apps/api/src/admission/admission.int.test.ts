/** The admission webhook with the real registry, database and Redis. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { ScanReport } from '@portcullis/domain';
import type { AdmissionResponse } from '@portcullis/domain/admission';
import { publishReports } from '@portcullis/events';
import {
  buildIndex,
  json,
  openSql,
  pushImage,
  randomImage,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { published, startApi, type TestApi } from '../api.fixture.ts';
import { blockedReport, cleanReport } from '../registry/gate/report.fixture.ts';

const HOST = 'registry.example.com';
const REFUSED =
  'blocked by policy "default": 1 critical (CVE-2026-1234 in openssl 3.0.1, fixed in 3.0.2)';

const ADMISSION = {
  ADMISSION_PORT: '0',
  ADMISSION_CERT_FILE: 'not read by the app',
  ADMISSION_KEY_FILE: 'not read by the app',
  ADMISSION_HOSTS: HOST,
  ADMISSION_PLATFORMS: 'linux/amd64,linux/arm64',
};

let api: TestApi;
let webhook: Awaited<ReturnType<typeof listening>>;
let sql: Awaited<ReturnType<typeof openSql>>;
let count = 0;

beforeAll(async () => {
  api = await startApi(ADMISSION);
  await api.store.folders.insertFolder({ name: 'prod' });
  webhook = await listening(api);
  sql = await openSql(api.surroundings.env.DATABASE_URL ?? '');
});

afterAll(async () => {
  await webhook?.stop();
  await sql?.end();
  await api?.stop();
});

async function listening({ admission }: TestApi) {
  const server = createServer(admission ?? undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function record({ digest }: { digest: string }, report: ScanReport): Promise<void> {
  await api.store.reports.record({ digest, report, scannedAt: new Date() });
  await publishReports(api.redis, [digest]);
}

async function made(report: ScanReport | null, platform = 'linux/amd64'): Promise<TestImage> {
  const image = await randomImage({ layers: 1, bytes: 1_000, compression: 'gzip', platform });
  if (report) await record(image, report);
  return image;
}

async function pushed(image: TestImage): Promise<string> {
  const repository = `prod/app${++count}`;
  await pushImage(api.registry.url, repository, '1', image);
  return repository;
}

const imageOf = async (report: ScanReport | null) =>
  `${HOST}/${await pushed(await made(report))}:1`;

function podOf(...images: string[]) {
  return { spec: { containers: images.map((image, at) => ({ name: `c${at}`, image })) } };
}

function review(object: unknown, more: Record<string, unknown> = {}) {
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      ...{ uid: 'u1', kind: { group: '', version: 'v1', kind: 'Pod' }, namespace: 'shop' },
      ...{ name: 'web', operation: 'CREATE', userInfo: { username: 'ann' }, object, ...more },
    },
  };
}

function post(
  body: string,
  { path = '/admission', type = 'application/json', url = webhook.url } = {},
): Promise<Response> {
  return fetch(url + path, { method: 'POST', headers: { 'content-type': type }, body });
}

async function asked(
  object: unknown,
  path?: string,
  more?: Record<string, unknown>,
  url?: string,
): Promise<AdmissionResponse> {
  const body = JSON.stringify(review(object, more));
  const { response, ...rest } = await json(
    post(body, { ...(path && { path }), ...(url && { url }) }),
  );
  expect(rest).toEqual({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' });
  expect(response.uid).toBe('u1');
  return response;
}

describe('a pod', () => {
  it('with an image that passes is admitted', async () => {
    expect(await asked(podOf(await imageOf(cleanReport())))).toEqual({ uid: 'u1', allowed: true });
  });

  it('with an image that is blocked is refused with the sentence of the pull gate', async () => {
    const image = await imageOf(blockedReport());
    const { allowed, status } = await asked(podOf(await imageOf(cleanReport()), image));
    expect(allowed).toBe(false);
    expect(status).toMatchObject({ code: 403, message: `container c1: ${image}: ${REFUSED}` });
  });

  it('with an image that was not judged is not admitted', async () => {
    const { allowed, status } = await asked(podOf(await imageOf(null)));
    expect([allowed, status?.code]).toEqual([false, 503]);
    expect(status?.message).toContain('the image is being scanned; try again in a moment');
  });

  it('with an image that is not here is refused', async () => {
    const { status } = await asked(podOf(`${HOST}/prod/none:1`));
    expect(status?.message).toContain('there is no 1 in prod/none');
  });

  it('with a digest that is in another repository alone is refused', async () => {
    const image = await made(cleanReport());
    await pushed(image);
    const { status } = await asked(podOf(`${HOST}/prod/elsewhere@${image.digest}`));
    expect(status?.message).toContain(`there is no ${image.digest} in prod/elsewhere`);
  });

  it('with an image of another registry is refused', async () => {
    const { status } = await asked(podOf('nginx:1'));
    expect(status?.message).toBe(
      `container c0: nginx:1: images of docker.io are not admitted here, only those of ${HOST}`,
    );
  });

  it('is only warned of where the webhook of the namespace says so', async () => {
    const image = await imageOf(blockedReport());
    const { allowed, warnings } = await asked(podOf(image), '/admission/warn/prod');
    expect([allowed, warnings]).toEqual([
      true,
      [`would be refused: container c0: ${image}: ${REFUSED}`],
    ]);
  });

  it('is judged by the standing of now', async () => {
    const image = await made(cleanReport());
    const pod = podOf(`${HOST}/${await pushed(image)}:1`);
    // A dry run leaves nothing, so that no grace period begins.
    const isAllowed = async () => (await asked(pod, undefined, { dryRun: true })).allowed;
    expect(await isAllowed()).toBe(true);
    await record(image, blockedReport());
    await expect.poll(isAllowed).toBe(false);
    await record(image, cleanReport());
    await expect.poll(isAllowed).toBe(true);
  });

  it('that was admitted before is admitted in the grace period, with a warning', async () => {
    const image = await made(cleanReport());
    const pod = podOf(`${HOST}/${await pushed(image)}:1`);
    expect((await asked(pod)).allowed).toBe(true);
    await record(image, blockedReport());
    await expect
      .poll(() => asked(pod))
      .toMatchObject({
        allowed: true,
        warnings: [expect.stringMatching(/admitted until .*, then blocked by policy/)],
      });
  });

  it('whose images did not change is not asked about again', async () => {
    const object = podOf(await imageOf(blockedReport()));
    const update = { operation: 'UPDATE', oldObject: object };
    expect((await asked(object, undefined, update)).allowed).toBe(true);
  });
});

describe('an index', () => {
  const PLATFORMS = ['linux/amd64', 'linux/arm64', 'linux/s390x'];

  it.each([
    ['each image of the nodes passes', ['clean', 'clean', 'clean'], true],
    ['one image of the nodes is blocked', ['clean', 'blocked', 'clean'], false],
    ['an image is blocked that no node chooses', ['clean', 'clean', 'blocked'], true],
  ] as const)('%s', async (_, states, allowed) => {
    const reports = { clean: cleanReport(), blocked: blockedReport() };
    const images = await Promise.all(
      states.map((state, at) => made(reports[state], PLATFORMS[at])),
    );
    const answer = await asked(podOf(`${HOST}/${await pushed(buildIndex(images))}:1`));
    expect(answer.allowed).toBe(allowed);
  });

  it('without an image for the nodes is refused', async () => {
    const index = buildIndex([await made(cleanReport(), 'linux/s390x')]);
    const { status } = await asked(podOf(`${HOST}/${await pushed(index)}:1`));
    expect(status?.message).toContain('it has no image for linux/amd64, linux/arm64');
  });
});

describe('pinning', () => {
  it('writes the digest of each tag of this registry, and decides nothing', async () => {
    const image = await made(blockedReport());
    const here = `${HOST}/${await pushed(image)}:1`;
    const pod = podOf('nginx:1', here, `${here}@${image.digest}`, `${HOST}/prod/none:1`);
    const { allowed, patch } = await asked(pod, '/admission/pin');
    expect(allowed).toBe(true);
    expect(JSON.parse(Buffer.from(patch ?? '', 'base64').toString())).toEqual([
      { op: 'replace', path: '/spec/containers/1/image', value: `${here}@${image.digest}` },
    ]);
  });
});

it('each refusal is an audit event once, with the decision', async () => {
  const image = await imageOf(blockedReport());
  for (const _ of [1, 2]) await asked(podOf(image), '/admission/enforce/prod-eu');
  await expect
    .poll(async () =>
      (await published(api)).filter(
        ({ event, detail }) => event === 'admission.refused' && detail.image === image,
      ),
    )
    .toEqual([
      expect.objectContaining({
        outcome: 'denied',
        actor: { id: null, name: 'cluster prod-eu', auth: 'system' },
        resource: expect.objectContaining({ kind: 'image', folder: 'prod' }),
        detail: expect.objectContaining({
          ...{ mode: 'enforce', cluster: 'prod-eu', namespace: 'shop', username: 'ann' },
          ...{ code: 'VULN_BLOCKED', decision: expect.objectContaining({ outcome: 'refused' }) },
        }),
      }),
    ]);
});

describe('what runs', () => {
  const CLUSTER = 'runs-eu';
  const kept = async (): Promise<unknown[]> => {
    const { rows } = await sql.query(
      'SELECT namespace, repository, digest FROM running_images WHERE cluster = $1',
      [CLUSTER],
    );
    return rows;
  };

  it('what was admitted is recorded, and what was refused or only tried is not', async () => {
    const [passing, blocked, warned, tried, template] = await Promise.all(
      [cleanReport(), blockedReport(), blockedReport(), cleanReport(), cleanReport()].map(
        async (report) => {
          const image = await made(report);
          return { digest: image.digest, repository: await pushed(image) };
        },
      ),
    );
    type Here = typeof passing;
    const pod = (...images: Here[]) =>
      podOf(...images.map((each) => `${HOST}/${each?.repository}:1`));
    const [enforce, warn] = ['enforce', 'warn'].map((mode) => `/admission/${mode}/${CLUSTER}`);
    await asked(pod(template, blocked), enforce);
    await asked(pod(tried), enforce, { dryRun: true });
    await asked({ spec: { template: pod(template) } }, enforce, {
      kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
    });
    await asked(pod(template), `/admission/pin/${CLUSTER}`);
    await asked(pod(warned), warn, { namespace: 'blog' });
    await asked(pod(passing), enforce);
    await expect.poll(kept).toEqual(
      expect.arrayContaining([
        { namespace: 'blog', ...warned },
        { namespace: 'shop', ...passing },
      ]),
    );
    expect(await kept()).toHaveLength(2);
  });

  it('a write that fails is logged, and admits all the same', async () => {
    const pod = podOf(await imageOf(cleanReport()));
    await sql.query('ALTER TABLE running_images RENAME TO away');
    onTestFinished(async () => {
      await sql.query('ALTER TABLE away RENAME TO running_images');
    });
    expect(await asked(pod, '/admission/enforce/runs-us')).toEqual({ uid: 'u1', allowed: true });
    await expect.poll(() => api.log.join('')).toContain('what clusters run is not recorded yet');
  });
});

describe('bad input', () => {
  it.each<[string, string, { path?: string; type?: string }, number, string]>([
    ['no JSON', '{', {}, 400, 'BODY_UNPARSABLE'],
    ['no review', '{}', {}, 422, 'ADMISSION_REVIEW_INVALID'],
    ['an empty body', '', {}, 422, 'ADMISSION_REVIEW_INVALID'],
    ['another type', 'a=b', { type: 'text/plain' }, 415, 'MEDIA_TYPE_UNSUPPORTED'],
    ['a body over the bound', `"${'x'.repeat(8_000_000)}"`, {}, 413, 'BODY_TOO_LARGE'],
    ['another mode', '{}', { path: '/admission/off' }, 404, 'ROUTE_UNKNOWN'],
    ['another path', '{}', { path: '/api/users' }, 404, 'ROUTE_UNKNOWN'],
  ])('%s is answered as what it is', async (_, body, given, status, code) => {
    const reply = await post(body, given);
    expect([reply.status, (await reply.json()).code]).toEqual([status, code]);
  });

  it.each<[string, Record<string, string>, string, number, string]>([
    ['a review', {}, '{}', 422, 'ADMISSION_REVIEW_INVALID'],
    ['a body over the bound', {}, `"${'x'.repeat(8_000_000)}"`, 413, 'BODY_TOO_LARGE'],
    ['a large body that is no JSON', {}, '['.repeat(300_000), 400, 'BODY_UNPARSABLE'],
    ['a packed body', { 'content-encoding': 'gzip' }, '{}', 415, 'ENCODING_UNSUPPORTED'],
    ['another path', { ':path': '/x' }, '{}', 404, 'ROUTE_UNKNOWN'],
  ])('over HTTP/2, %s is answered as what it is', async (_, given, body, status, code) => {
    const server = createHttp2Server(api.admission ?? undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const session = connect(`http://127.0.0.1:${port}`);
    onTestFinished(() => {
      session.destroy();
      server.close();
    });
    const asking = session.request({
      ...{ ':method': 'POST', ':path': '/admission', 'content-type': 'application/json', ...given },
    });
    asking.end(body);
    const [headers] = await once(asking, 'response');
    const text = (await asking.setEncoding('utf8').toArray()).join('');
    expect([headers[':status'], JSON.parse(text).code]).toEqual([status, code]);
    expect(headers['x-request-id']).toBe(JSON.parse(text).request_id);
  });

  it('another method is answered as what it is', async () => {
    const reply = await fetch(`${webhook.url}/admission`);
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it.each([
    ['/admission', false],
    ['/admission/warn', true],
    ['/admission/pin', true],
  ])('a pod that has no specification: %s', async (path, allowed) => {
    const answer = await asked({}, path);
    expect(answer.allowed).toBe(allowed);
    const text = answer.status?.message ?? answer.warnings?.[0];
    expect(text).toBe("Portcullis can't read the request: there is no /spec");
  });

  it('a kind that names no images is left to the pods that it starts', async () => {
    const kind = { group: 'argoproj.io', version: 'v1alpha1', kind: 'Rollout' };
    expect(await asked({ spec: {} }, '/admission', { kind })).toMatchObject({
      ...{ allowed: true, warnings: [expect.stringContaining('not about Rollout')] },
    });
  });
});

it('a registry that does not answer admits nothing, and says so', async () => {
  const broken = await startApi({ ...ADMISSION, REGISTRY_URL: 'http://127.0.0.1:9' }, api);
  const server = await listening(broken);
  onTestFinished(async () => {
    await server.stop();
    await broken.stop();
  });
  const { allowed, status } = await asked(
    podOf(`${HOST}/prod/app:1`),
    '/admission',
    {},
    server.url,
  );
  expect([allowed, status?.code]).toEqual([false, 503]);
  expect(status?.message).toContain('it could not be decided: ');
});
