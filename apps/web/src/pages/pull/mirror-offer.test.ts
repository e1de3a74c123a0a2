import { describe, expect, it } from 'vitest';
import { mirrorOffer } from './mirror-offer.ts';
import { EMPTY_FORM, type PullForm } from './pull-form.ts';

const mirror = (folder: string, host: string, prefix = '', may_bring_in = true) => ({
  ...{ folder, host, prefix, may_bring_in },
});
const MIRRORS = [
  mirror('docker.io', 'docker.io'),
  mirror('ours', 'docker.io', 'acme'),
  mirror('quay', 'quay.io', '', false),
  mirror('ghcr.io', 'ghcr.io'),
];

const offer = (form: Partial<PullForm>, savedHost: string | null = null) =>
  mirrorOffer({ ...EMPTY_FORM, ...form }, MIRRORS, savedHost)?.image ?? null;

describe('the mirror that the pull form offers', () => {
  it.each<[string, Partial<PullForm>, string | null]>([
    ['is that of Docker Hub at first', {}, 'docker.io/…'],
    ['names the image as it is there', { image: 'nginx', tag: '1.29' }, 'docker.io/nginx:1.29'],
    ['takes the tag latest where none is typed', { image: 'nginx' }, 'docker.io/nginx:latest'],
    ['splits what was pasted', { image: 'ghcr.io/org/app:2' }, 'ghcr.io/org/app:2'],
    ['has the longest prefix', { image: 'acme/app', tag: '1' }, 'ours/app:1'],
    [
      'writes a digest behind an @',
      { image: 'nginx', tag: 'sha256:abc' },
      'docker.io/nginx@sha256:abc',
    ],
    ['is none of a host without one', { source: 'host', host: 'gcr.io', image: 'a' }, null],
    ['is none where the account may not bring in', { image: 'quay.io/org/app:1' }, null],
    ['is none before a registry is chosen', { source: 'saved' }, null],
  ])('%s', (_, form, expected) => {
    expect(offer(form)).toBe(expected);
  });

  it('is that of the saved registry', () => {
    expect(offer({ source: 'saved', registryId: 'r', image: 'a/b', tag: '1' }, 'ghcr.io')).toBe(
      'ghcr.io/a/b:1',
    );
  });
});
