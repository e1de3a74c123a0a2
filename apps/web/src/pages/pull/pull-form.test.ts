import { describe, expect, it } from 'vitest';
import { EMPTY_FORM, isComplete, pullBody, splitReference, splitTag } from './pull-form.ts';

describe('text typed as an image', () => {
  it.each([
    ['nginx', { source: 'hub', image: 'nginx', tag: '' }],
    ['nginx:1.27', { source: 'hub', image: 'nginx', tag: '1.27' }],
    ['ghcr.io/acme/app:1', { source: 'host', host: 'ghcr.io', image: 'acme/app', tag: '1' }],
    ['acme/app', { source: 'hub', image: 'acme/app' }],
  ])('%s fills the fields it names', (text, filled) => {
    expect(splitReference({ ...EMPTY_FORM, image: text })).toMatchObject(filled);
  });

  it('keeps the chosen tag', () => {
    expect(splitReference({ ...EMPTY_FORM, image: 'nginx', tag: '2' }).tag).toBe('2');
  });
});

it('keeps a host in the field on blur', () => {
  const typed = { ...EMPTY_FORM, image: 'ghcr.io/acme/app:1' };
  expect(splitTag(typed)).toEqual(typed);
  expect(splitTag({ ...typed, image: 'app:1' })).toMatchObject({ image: 'app', tag: '1' });
});

describe('the request', () => {
  const whole = { ...EMPTY_FORM, image: ' nginx ', tag: '1' };
  it.each([
    ['an image of Docker Hub: only its name and tag', whole, { image: 'nginx', tag: '1' }],
    [
      'a saved registry by its id',
      { ...whole, source: 'saved' as const, registryId: 'r1', host: 'left over' },
      { image: 'nginx', tag: '1', source_registry_id: 'r1' },
    ],
    [
      'a host with its username, and TLS options only if changed',
      {
        ...whole,
        source: 'host' as const,
        host: 'h',
        username: 'u',
        password: 'p',
        tlsVerify: false,
      },
      {
        image: 'nginx',
        tag: '1',
        source_registry_host: 'h',
        source_registry_username: 'u',
        source_registry_password: 'p',
        source_registry_tls_verify: false,
      },
    ],
    [
      'platforms and overrides',
      { ...whole, platforms: ['linux/amd64'], scan: 'none' as const },
      { image: 'nginx', tag: '1', platforms: ['linux/amd64'], vuln_scan_enabled_override: false },
    ],
    [
      'a separate list of severities',
      { ...whole, scan: 'severities' as const, severities: ['LOW' as const] },
      { image: 'nginx', tag: '1', vuln_severities_override: ['LOW'] },
    ],
    [
      'signatures, SBOMs and attestations as chosen',
      { ...whole, referrers: 'required' as const },
      { image: 'nginx', tag: '1', include_referrers: 'required' },
    ],
    [
      'no signatures, SBOMs and attestations',
      { ...whole, referrers: 'none' as const },
      { image: 'nginx', tag: '1', include_referrers: false },
    ],
  ])('%s', (_, form, body) => {
    expect(pullBody(form)).toEqual(body);
  });
});

it.each([
  [EMPTY_FORM, false],
  [{ ...EMPTY_FORM, image: 'a', tag: 'b' }, true],
  [{ ...EMPTY_FORM, image: 'a', tag: 'b', source: 'saved' as const }, false],
  [{ ...EMPTY_FORM, image: 'a', tag: 'b', source: 'host' as const }, false],
  [{ ...EMPTY_FORM, image: 'a', tag: 'b', source: 'host' as const, host: 'h' }, true],
])('%j is complete: %s', (form, complete) => {
  expect(isComplete(form)).toBe(complete);
});
