/**
 * Clients of other projects copy an image with all that refers to it, among it statements of this
 * installation: each copy ends well, and has what others attested and none of ours.
 */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  generateSigningKey,
  openSigningKey,
  type SigningKey,
  signStatement,
} from '@portcullis/attest';
import { statementOf } from '@portcullis/domain';
import {
  buildArtifact,
  fetchManifest,
  goProgram,
  json,
  pushImage,
  randomImage,
  registryClients,
  type TemporaryDir,
  type TestImage,
  temporaryDir,
  testEnv,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../api.fixture.ts';

const run = promisify(execFile);
const CREDENTIALS = { username: 'ann', password: 'pass-of-ann' };
const authorization = `Basic ${btoa('ann:pass-of-ann')}`;

let api: TestApi;
let home: TemporaryDir;
let env: NodeJS.ProcessEnv;
const stranger = openSigningKey(generateSigningKey());

beforeAll(async () => {
  api = await startApi();
  const privateKey = generateSigningKey();
  const key = openSigningKey(privateKey);
  await api.store.signingKeys.insertFirst({ id: key.id, publicKey: key.publicKey, privateKey });
  const ann = await api.account('ann');
  for (const folder of ['from', 'to'])
    await api.grant(ann, folder, { canPull: true, canPush: true });
  await stated(key);
  home = await temporaryDir();
  const auths = { [api.host]: { auth: btoa('ann:pass-of-ann') } };
  await mkdir(join(home.path, '.docker'));
  await writeFile(join(home.path, '.docker/config.json'), JSON.stringify({ auths }));
  env = { PATH: testEnv.PATH, HOME: home.path };
});

afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  await api?.stop();
});

const tagOf = ({ digest }: TestImage) => `${digest.replace(':', '-')}.att`;
let image: TestImage;

function attestation(by: SigningKey, { digest }: TestImage) {
  const about = { repository: 'from/app', digest };
  const predicate = { keyId: by.id };
  const stated = { keyId: by.id, publicUrl: null, version: '1' };
  return signStatement(by, statementOf('verdict', about, { by: stated, predicate }));
}

/** As a worker and another signer leave it: referrers of both, and both under cosign's tag. */
async function stated(key: SigningKey): Promise<void> {
  image = await randomImage();
  await pushImage(api.url, 'from/app', '1', image, { credentials: CREDENTIALS });
  const both = [attestation(key, image), attestation(stranger, image)];
  for (const { mediaType, bytes, annotations } of both) {
    const layers = [{ mediaType, bytes }];
    const referrer = buildArtifact({ artifactType: mediaType, layers, subject: image.descriptor });
    await pushImage(api.registry.url, 'from/app', null, referrer);
    await api.store.referrers.record({
      ...{ repository: 'from/app', digest: referrer.digest, subject: image.digest, annotations },
      ...{ mediaType: referrer.descriptor.mediaType, artifactType: mediaType },
      size: referrer.bytes.length,
    });
  }
  const annotations = { 'dev.cosignproject.cosign/signature': '' };
  const layers = both.map(({ envelope }) => ({ ...envelope, annotations }));
  const tagged = buildArtifact({ layers });
  await pushImage(api.registry.url, 'from/app', tagOf(image), tagged);
  const { digest, mediaType, size } = tagged.descriptor;
  const facts = { digest, mediaType, size, artifactType: null, subject: null };
  await api.store.images.record({
    ...{ repository: 'from/app', tag: tagOf(image), digest },
    manifests: [{ ...facts, contents: [], platforms: [] }],
  });
}

/** How many referrers, and layers under the tag, a copy has; null without the tag. */
async function found(repository: string) {
  const { manifests }: { manifests: unknown[] } = await json(
    fetch(`${api.url}/v2/${repository}/referrers/${image.digest}`, { headers: { authorization } }),
  );
  const { status, body } = await fetchManifest(api.registry.url, repository, tagOf(image));
  const layers = status === 200 ? JSON.parse(body.toString()).layers.length : null;
  return { referrers: manifests.length, layers };
}

const from = () => `${api.host}/from/app`;

it('regctl copies referrers and tags of digests', async () => {
  expect(await found('from/app')).toEqual({ referrers: 2, layers: 2 });
  const { regctl } = await registryClients();
  await run(regctl, ['registry', 'set', api.host, '--tls', 'disabled'], { env });
  const to = `${api.host}/to/regctl:1`;
  const args = ['image', 'copy', '--referrers', '--digest-tags', `${from()}:1`, to];
  await run(regctl, args, { env });
  expect(await found('to/regctl')).toEqual({ referrers: 1, layers: 1 });
});

it('crane copies the tag of attestations', async () => {
  const { crane } = await registryClients();
  const tag = tagOf(image);
  await run(crane, ['copy', '--insecure', `${from()}:${tag}`, `${api.host}/to/crane:${tag}`], {
    env,
  });
  expect((await found('to/crane')).layers).toBe(1);
});

it('cosign copies an image with what it knows of it', async () => {
  const cosign = await goProgram('cosign-2');
  const to = `${api.host}/to/cosign:1`;
  await run(cosign, ['copy', '--allow-http-registry', `${from()}:1`, to], { env });
  expect((await found('to/cosign')).layers).toBe(1);
});
