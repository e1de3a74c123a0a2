/**
 * The steps of docs/release.md that need neither Docker nor GitHub, with a real registry, scanner,
 * helm and OpenSSH.
 */
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { acquireBinary, cacheDir, type Program, run } from '@portcullis/embedded';
import { createTransport } from '@portcullis/oci/remote';
import {
  buildIndex,
  debianImage,
  fetchManifest,
  kubernetesTools,
  pushImage,
  startRegistry,
  type TestImage,
  temporaryDir,
  testTrivy,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBases } from '../../scripts/bases-command.ts';
import {
  type Keygen,
  packageChart,
  signSums,
  verifySums,
  writeSums,
  wrongFiles,
} from '../../scripts/release/files.ts';
import { attachAll, missingOf, type ReleasedImage } from '../../scripts/release/images.ts';
import { blocksOf } from '../support/guide.ts';

const SSH: Program = {
  names: ['ssh'],
  package: 'openssh-client',
  file: 'usr/bin/ssh',
  probe: ['-V'],
};
const CHART = path.resolve(import.meta.dirname, '../../deploy/helm/portcullis');
const IDENTITY = 'release@portcullis-gate';
const registry = await startRegistry();
const dir = await temporaryDir();
const transport = createTransport();
const release = path.join(dir.path, 'release');
const NAME = `${registry.host}/acme/portcullis-api`;

let index: TestImage;
let published: ReleasedImage;

beforeAll(async () => {
  await mkdir(release);
  index = buildIndex([
    await debianImage({ packages: [{ name: 'openssl', version: '3.0.11-1~deb12u1' }] }),
    await debianImage({
      packages: [{ name: 'zlib1g', version: '1:1.2.13' }],
      platform: 'linux/arm64',
    }),
  ]);
  await pushImage(registry.url, 'acme/portcullis-api', '1.2.3', index);
  published = await attachEverything();
  await writeFile(path.join(release, 'images.json'), JSON.stringify([published]));
});

afterAll(async () => {
  await transport.close();
  await registry.stop();
  await dir.remove();
});

async function attachEverything(): Promise<ReleasedImage> {
  const image = { name: NAME, dockerfile: 'Dockerfile.api', digest: index.digest };
  const builder = { id: 'urn:test', invocation: 'one' };
  const source = 'https://git.example/portcullis';
  const build = { version: '1.2.3', commit: 'abc', source, bases: readBases(), builder };
  return attachAll(image, { transport, trivy: await testTrivy(), dir: release, build });
}

/**
 * As clients find it in a registry without the referrers API: under the tag derived from the
 * subject's digest.
 */
async function listed(subject: string): Promise<{ artifactType: string; digest: string }[]> {
  const answer = await fetchManifest(
    registry.url,
    'acme/portcullis-api',
    subject.replace(':', '-'),
  );
  return JSON.parse(answer.body.toString()).manifests;
}

async function documentOf(artifact: string): Promise<Record<string, unknown>> {
  const manifest = JSON.parse(
    (await fetchManifest(registry.url, 'acme/portcullis-api', artifact)).body.toString(),
  );
  const blob = await fetch(
    `${registry.url}/v2/acme/portcullis-api/blobs/${manifest.layers[0].digest}`,
  );
  return JSON.parse(await blob.text());
}

describe('the artifacts attached to an image (O30)', () => {
  it('are an SBOM for each platform, with its packages', async () => {
    const packages = await Promise.all(
      index.children.map(async ({ digest }) => {
        const [found] = await listed(digest);
        expect(found?.artifactType).toBe('application/vnd.cyclonedx+json');
        const { bomFormat, components } = await documentOf(found?.digest ?? '');
        expect(bomFormat).toBe('CycloneDX');
        return JSON.stringify(components);
      }),
    );
    expect(packages[0]).toContain('pkg:deb/debian/openssl@3.0.11');
    expect(packages[1]).toContain('pkg:deb/debian/zlib1g@1.2.13');
  });

  it('are the provenance of the whole image', async () => {
    const [found] = await listed(index.digest);
    expect(found?.artifactType).toBe('application/vnd.in-toto+json');
    const { subject } = await documentOf(found?.digest ?? '');
    expect(subject).toEqual([
      { name: NAME, digest: { sha256: index.digest.slice('sha256:'.length) } },
    ]);
  });

  it('exist once when the step runs again', async () => {
    expect((await attachEverything()).attached).toEqual(published.attached);
    expect(await listed(index.digest)).toHaveLength(1);
  });

  it('are distinguished from a missing image and an unreachable registry', async () => {
    const digest = published.attached?.[0]?.digest ?? index.digest;
    const other = { ...published, name: `${registry.host}/acme/other`, digest };
    expect(await missingOf(other, { transport })).toEqual([
      `${other.name}@${digest} is not in the registry`,
    ]);
    const away = { ...published, name: '127.0.0.1:1/acme/portcullis-api' };
    await expect(missingOf(away, { transport })).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('are found by the check, which reports a removed one', async () => {
    expect(await missingOf(published, { transport })).toEqual([]);
    const tag = index.digest.replace(':', '-');
    const { headers } = await fetchManifest(registry.url, 'acme/portcullis-api', tag);
    const list = `${registry.url}/v2/acme/portcullis-api/manifests/${headers['docker-content-digest']}`;
    expect((await fetch(list, { method: 'DELETE' })).status).toBe(202);
    expect(await missingOf(published, { transport })).toEqual([
      expect.stringContaining('.provenance.json attached'),
    ]);
  });
});

describe('the files of a release (O30)', () => {
  const signers = path.join(dir.path, 'signers');
  const key = path.join(dir.path, 'key');
  let keygen: Keygen;

  beforeAll(async () => {
    const { helm } = await kubernetesTools();
    await packageChart(helm, CHART, '1.2.3', release);
    await writeSums(release);
    const ssh = await acquireBinary(SSH, { cacheDir: cacheDir(process.env), env: process.env });
    keygen = { path: path.join(path.dirname(ssh.path), 'ssh-keygen'), env: ssh.env };
    const env = { ...process.env, ...ssh.env };
    await run(keygen.path, ['-q', '-t', 'ed25519', '-N', '', '-f', key], { env });
    const [type, text] = (await readFile(`${key}.pub`, 'utf8')).split(' ');
    await writeFile(signers, `${IDENTITY} ${type} ${text}\n`);
    await signSums(release, key, keygen);
  });

  it('are the chart, an SBOM for each platform, the provenance and the digests of the images', async () => {
    expect((await readdir(release)).sort()).toEqual([
      'SHA256SUMS',
      'SHA256SUMS.sig',
      'images.json',
      'portcullis-1.2.3.tgz',
      'portcullis-api-linux-amd64.cdx.json',
      'portcullis-api-linux-arm64.cdx.json',
      'portcullis-api.provenance.json',
    ]);
  });

  it('contain a chart of that version for images of that version', async () => {
    const { helm } = await kubernetesTools();
    const shown = await run(
      helm,
      ['show', 'chart', path.join(release, 'portcullis-1.2.3.tgz')],
      {},
    );
    expect(shown).toMatch(/^version: 1\.2\.3$/m);
    expect(shown).toMatch(/^appVersion: 1\.2\.3$/m);
  });

  it('are verified by the commands of docs/release.md, and by our own check', async () => {
    const [block] = blocksOf(await readFile(path.join(CHART, '../../../docs/release.md'), 'utf8'));
    const PATH = [path.dirname(keygen.path), process.env.PATH].join(path.delimiter);
    const env = { ...process.env, ...keygen.env, PATH };
    const commands = block?.commands.replace('-f allowed_signers', `-f ${signers}`) ?? '';
    const said = await run('bash', ['-euc', commands], { cwd: release, env });
    expect(said).toContain('Good "portcullis-release" signature');
    expect(said).toContain('portcullis-1.2.3.tgz: OK');
    await verifySums(release, signers, IDENTITY, keygen);
    expect(await wrongFiles(release)).toEqual([]);
  });

  it('are refused from another signer', async () => {
    await expect(verifySums(release, signers, 'other@example.org', keygen)).rejects.toMatchObject({
      code: 'TOOL_FAILED',
    });
  });

  it('are refused after one of them was changed or added', async () => {
    await appendFile(path.join(release, 'images.json'), ' ');
    await writeFile(path.join(release, 'extra'), '');
    expect(await wrongFiles(release)).toEqual([
      'images.json has another checksum',
      'extra is not in SHA256SUMS',
    ]);
    await writeSums(release);
    await expect(verifySums(release, signers, IDENTITY, keygen)).rejects.toMatchObject({
      code: 'TOOL_FAILED',
    });
  });
});
