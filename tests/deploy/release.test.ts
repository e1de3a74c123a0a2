import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Digest } from '@portcullis/oci';
import { describe, expect, it } from 'vitest';
import { BASE_NAMES } from '../../scripts/bases.ts';
import { readBases } from '../../scripts/bases-command.ts';
import { released, sectionOf } from '../../scripts/release/changelog.ts';
import { type ReleaseFacts, releaseFaults } from '../../scripts/release/check.ts';
import { buildCommand } from '../../scripts/release/images.ts';
import { provenanceOf } from '../../scripts/release/provenance.ts';
import {
  isVersion,
  VERSION_PLACES,
  versionsIn,
  withVersion,
} from '../../scripts/release/versions.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const texts = new Map(VERSION_PLACES.map(({ file }) => [file, read(file)]));
const { version, repository } = JSON.parse(read('package.json'));
const DIGEST: Digest = `sha256:${'a'.repeat(64)}`;

describe('the version', () => {
  it('is that of package.json wherever it is written', () => {
    expect(versionsIn(texts)).toEqual(VERSION_PLACES.map(() => version));
  });

  it('is updated everywhere at once', () => {
    const next = withVersion(texts, '12.3.4-rc.1');
    expect(versionsIn(next)).toEqual(VERSION_PLACES.map(() => '12.3.4-rc.1'));
    expect(next.get('deploy/helm/portcullis/Chart.yaml')).toContain('prerelease: "true"');
    expect(withVersion(next, version)).toEqual(texts);
  });

  it.each(['0.1.0', '1.20.300', '1.0.0-rc.1', '1.0.0-alpha-2'])('can be %s', (text) => {
    expect(isVersion(text)).toBe(true);
  });

  it.each(['', '1.0', 'v1.0.0', '01.0.0', '1.0.0+build', '1.0.0-', '1.0.0 '])(
    'may not be "%s"',
    (text) => {
      expect(isVersion(text)).toBe(false);
    },
  );
});

describe('the changelog', () => {
  const CHANGELOG =
    '# Changelog\n\n## [Unreleased]\n### Added\n- one\n\n## [0.1.0] - 2026-01-01\n- first\n\n[0.1.0]: x\n';

  it.each([
    { wanted: 'Unreleased', text: '### Added\n- one' },
    { wanted: '0.1.0', text: '- first' },
    { wanted: '0.1', text: null },
  ])('has a section for each version: $wanted', ({ wanted, text }) => {
    expect(sectionOf(CHANGELOG, wanted)).toBe(text);
  });

  it('moves the unreleased section to the version', () => {
    const after = released(CHANGELOG, '0.2.0', '2026-02-03');
    expect(after).toContain('## [0.2.0] - 2026-02-03\n### Added\n');
    expect(sectionOf(after, '0.2.0')).toBe('### Added\n- one');
    expect(sectionOf(after, 'Unreleased')).toBe('');
  });

  it('of this project has something to release', () => {
    expect(sectionOf(read('CHANGELOG.md'), 'Unreleased')).not.toBe(null);
  });
});

describe('a release', () => {
  const bases = structuredClone(readBases());
  for (const name of BASE_NAMES) bases[name].digest = DIGEST;
  const READY: ReleaseFacts = {
    versions: VERSION_PLACES.map(() => '1.2.3'),
    changelog: '## [1.2.3] - 2026-01-01\n- it works\n',
    bases,
    changes: '',
    tags: ['v1.2.3'],
  };

  it('is possible with all preconditions', () => expect(releaseFaults(READY)).toEqual([]));

  it.each([
    { lack: 'a tag of the version', facts: { tags: ['v1.2.2'] }, fault: 'no tag v1.2.3' },
    {
      lack: 'a section of the changelog',
      facts: { changelog: '## [1.2.2]\n- it' },
      fault: 'no section [1.2.3]',
    },
    { lack: 'words in that section', facts: { changelog: '## [1.2.3]\n\n' }, fault: 'is empty' },
    { lack: 'a clean checkout', facts: { changes: ' M a' }, fault: 'not committed' },
    {
      lack: 'the digest of a base image (O28)',
      facts: { bases: { ...bases, node: { ...bases.node, digest: null } } },
      fault: 'the base image node has no digest',
    },
    {
      lack: 'one version',
      facts: { versions: READY.versions.map((each, place) => (place === 1 ? '1.2.2' : each)) },
      fault: `${VERSION_PLACES[1]?.file} says 1.2.2`,
    },
    {
      lack: 'a semantic version',
      facts: {
        versions: VERSION_PLACES.map(() => '1.2'),
        changelog: '## [1.2]\n- it',
        tags: ['v1.2'],
      },
      fault: 'no semantic version: 1.2',
    },
  ])('is refused without $lack', ({ facts, fault }) => {
    expect(releaseFaults({ ...READY, ...facts })).toEqual([expect.stringContaining(fault)]);
  });

  it('builds for both platforms with the arguments of the labels', () => {
    const given = { VERSION: '1.2.3', REVISION: 'abc', CREATED: '2026-01-01T00:00:00.000Z' };
    const words = buildCommand(
      'r.example/portcullis-api',
      'Dockerfile.api',
      given,
      '/tmp/m.json',
    ).join(' ');
    expect(words).toContain('--platform linux/amd64,linux/arm64');
    expect(words).toContain(
      '--build-arg VERSION=1.2.3 --build-arg REVISION=abc --build-arg CREATED=2026-01-01',
    );
    expect(words).toContain('--tag r.example/portcullis-api:1.2.3 --push');
  });

  it('has the commit and the base images in its provenance (O30)', () => {
    const statement = provenanceOf({
      name: 'r.example/portcullis-api',
      digest: DIGEST,
      dockerfile: 'Dockerfile.api',
      version: '1.2.3',
      commit: 'abc',
      source: repository.url,
      bases,
      builder: { id: 'https://ci.example/workflow', invocation: 'https://ci.example/runs/1' },
    });
    expect(statement).toMatchObject({
      subject: [{ name: 'r.example/portcullis-api', digest: { sha256: 'a'.repeat(64) } }],
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          resolvedDependencies: expect.arrayContaining([
            { uri: `git+${repository.url}@refs/tags/v1.2.3`, digest: { gitCommit: 'abc' } },
            { uri: `docker://${bases.node.image}`, digest: { sha256: 'a'.repeat(64) } },
          ]),
        },
        runDetails: { builder: { id: 'https://ci.example/workflow' } },
      },
    });
  });
});
