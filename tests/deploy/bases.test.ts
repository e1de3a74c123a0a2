import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Descriptor, Digest } from '@portcullis/oci';
import { describe, expect, it } from 'vitest';
import {
  BASE_NAMES,
  type Bases,
  PLACES,
  unfitness,
  unpinned,
  written,
} from '../../scripts/bases.ts';
import { differences, readBases, readPlaces } from '../../scripts/bases-command.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const variable = (name: string) => `$\{${name}}`;
const DIGEST: Digest = `sha256:${'a'.repeat(64)}`;

const pinnedTo = (digest: Digest): Bases => {
  const bases = structuredClone(readBases());
  for (const name of BASE_NAMES) bases[name].digest = digest;
  return bases;
};

describe('the base images (O28)', () => {
  it('are written in every file as in deploy/image/bases.json (`npm run bases -- --write`)', () => {
    expect(written(readBases(), readPlaces())).toEqual(readPlaces());
  });

  it.each([
    'Dockerfile.api',
    'Dockerfile.worker',
    'docker-compose.yml',
    '.github/workflows/ci.yml',
  ])('%s names no other third-party image', (file) => {
    const images = Object.values(readBases()).map(({ image }) => image);
    const named = read(file).match(/docker\.io\/[\w./-]+:[\w.-]+/g) ?? [];
    expect(named.filter((each) => !images.includes(each))).toEqual([]);
  });

  it('are written with their digests, and replaced by new ones', () => {
    const once = written(pinnedTo(DIGEST), readPlaces());
    expect(once.get('Dockerfile.worker')).toContain(
      `ARG GO_IMAGE=${readBases().go.image}@${DIGEST}\n`,
    );
    expect(once.get('docker-compose.yml')).toContain(`:-${readBases().redis.image}@${DIGEST}}`);
    expect(once.get('deploy/helm/portcullis/values.yaml')).toContain(`digest: "${DIGEST}"`);
    const other: Digest = `sha256:${'b'.repeat(64)}`;
    const twice = written(pinnedTo(other), once);
    expect(twice).toEqual(written(pinnedTo(other), readPlaces()));
    expect([...twice.values()].join('')).not.toContain(DIGEST);
  });

  it('have no digest where stand-ins replace them', () => {
    const files = written(pinnedTo(DIGEST), readPlaces());
    const unchanged = [
      'tests/deploy/containers/stand-ins/Dockerfile',
      'packages/testing/src/servers/containers.ts',
    ];
    expect(unchanged.map((file) => files.get(file))).toEqual(unchanged.map(read));
  });

  it('are searched in every file; one without the expected line is reported by name', () => {
    const files = readPlaces().set('Dockerfile.api', 'FROM scratch\n');
    expect(() => written(readBases(), files)).toThrow('Dockerfile.api has no');
    expect(PLACES.length).toBeGreaterThan(10);
  });

  it('are compared before and after', () => {
    expect(differences(readBases(), pinnedTo(DIGEST))[0]).toContain(DIGEST);
    expect(unpinned(pinnedTo(DIGEST))).toEqual([]);
  });

  const index: Descriptor = {
    mediaType: 'application/vnd.oci.image.index.v1+json',
    digest: DIGEST,
    size: 1,
  };
  const manifest = { ...index, mediaType: 'application/vnd.oci.image.manifest.v1+json' };
  it.each([
    {
      what: 'an index of both',
      given: index,
      platforms: ['linux/amd64', 'linux/arm64'],
      reason: null,
    },
    {
      what: 'more than both',
      given: index,
      platforms: ['linux/arm64', 'linux/s390x', 'linux/amd64'],
      reason: null,
    },
    {
      what: 'an index of one',
      given: index,
      platforms: ['linux/amd64'],
      reason: 'it lacks linux/arm64',
    },
    {
      what: 'a single image',
      given: manifest,
      platforms: [],
      reason: 'it is for one platform only',
    },
  ])('are valid when they support both platforms: $what', ({ given, platforms, reason }) => {
    expect(unfitness(given, platforms)).toBe(reason);
  });
});

describe.each(['Dockerfile.api', 'Dockerfile.worker'])('%s', (file) => {
  const { version, license, repository } = JSON.parse(read('package.json'));

  it('has the version of package.json where the build gives none', () => {
    expect(read(file)).toContain(`\nARG VERSION=${version}\n`);
  });

  it('has labels with its origin (O29)', () => {
    const labels = Object.fromEntries(
      [...read(file).matchAll(/org\.opencontainers\.image\.([\w.]+)="([^"]*)"/g)].map(
        ([, key, value]) => [key, value],
      ),
    );
    expect(labels).toMatchObject({
      source: repository.url,
      url: repository.url,
      licenses: license,
      vendor: 'The Portcullis authors',
      version: variable('VERSION'),
      revision: variable('REVISION'),
      created: variable('CREATED'),
      'base.name': variable('NODE_IMAGE'),
    });
  });

  it('checks its health without another Node process (O32)', () => {
    const [check = ''] = /^HEALTHCHECK .*$/m.exec(read(file)) ?? [];
    expect(check).toMatch(/CMD \["(?:answers|beats)"\]$/);
  });
});
