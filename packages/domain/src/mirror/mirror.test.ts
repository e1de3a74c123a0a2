import { describe, expect, it } from 'vitest';
import { aMirror } from './mirror.fixture.ts';
import { mayBeMirrored, upstreamRepository } from './mirror.ts';
import { repositoryInMirror } from './mirror-of-host.ts';
import { isAsBefore } from './mirror-tag.ts';

const ghcr = { host: 'ghcr.io', folder: 'ghcr.io' };
const FAULT = { code: 'REGISTRY_DOWN', message: 'no answer', gone: false };

describe('the repository at the upstream', () => {
  it.each([
    [aMirror(), 'docker.io/nginx', 'library/nginx'],
    [aMirror(), 'docker.io/library/nginx', 'library/nginx'],
    [aMirror(), 'docker.io/grafana/grafana', 'grafana/grafana'],
    [aMirror({ prefix: 'grafana' }), 'docker.io/loki', 'grafana/loki'],
    [aMirror(ghcr), 'ghcr.io/nginx', 'nginx'],
    [aMirror({ ...ghcr, folder: 'team', prefix: 'org/sub' }), 'team/app', 'org/sub/app'],
  ])('%# of %s is as the upstream names it', (mirror, repository, expected) => {
    expect(upstreamRepository(mirror, repository)).toBe(expected);
  });
});

describe('what a mirror brings in', () => {
  const long = `${'a'.repeat(200)}/b`;
  it.each([
    [['*'], 'docker.io/any/thing', true],
    [['*'], `docker.io/${long}`, true],
    [['library/*'], 'docker.io/nginx', true],
    [['nginx'], 'docker.io/library/nginx', false],
    [['nginx'], 'docker.io/nginx', true],
    [['grafana/{loki,tempo}'], 'docker.io/grafana/tempo', true],
    [['grafana/{loki,tempo}'], 'docker.io/grafana/grafana', false],
    [['grafana'], 'docker.io/grafana/loki', false],
  ])('by %j is of %s: %s', (allow, repository, expected) => {
    expect(mayBeMirrored(aMirror({ allow }), repository)).toBe(expected);
  });

  it('has no short names elsewhere than on Docker Hub', () => {
    expect(mayBeMirrored(aMirror({ ...ghcr, allow: ['library/*'] }), 'ghcr.io/nginx')).toBe(false);
  });
});

describe('a host that a client names', () => {
  const mirrors = [
    aMirror(),
    aMirror({ folder: 'a-hub' }),
    aMirror({ ...ghcr, folder: 'all' }),
    aMirror({ ...ghcr, folder: 'ours', prefix: 'org' }),
  ];
  it.each([
    ['docker.io', 'library/nginx', 'docker.io/library/nginx'],
    ['registry-1.docker.io', 'library/nginx', 'a-hub/library/nginx'],
    ['ghcr.io', 'org/app', 'ours/app'],
    ['ghcr.io', 'organisation/app', 'all/organisation/app'],
    ['quay.io', 'org/app', null],
    ['not a host', 'org/app', null],
    ['ghcr.io', 'a'.repeat(253), null],
  ])('%s with %s leads to %s', (host, repository, expected) => {
    expect(repositoryInMirror(host, repository, mirrors)).toBe(expected);
  });

  it('leads nowhere where no mirror has the prefix', () => {
    expect(
      repositoryInMirror('ghcr.io', 'other/app', [aMirror({ ...ghcr, prefix: 'org' })]),
    ).toBeNull();
  });
});

it.each([
  ['the same digest', null, { digest: 'a' }, true],
  ['another one', null, { digest: 'b' }, false],
  ['the same after a fault', FAULT, { digest: 'a' }, false],
  ['a fault', null, { fault: FAULT }, false],
  ['the same fault', FAULT, { fault: FAULT }, false],
])('%s is an answer as before: %#', (_, fault, answer, isSame) => {
  expect(isAsBefore({ upstreamDigest: 'a', fault }, answer)).toBe(isSame);
  expect(isAsBefore(null, answer)).toBe(false);
});
