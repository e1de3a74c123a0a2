import { DEFAULT_NETWORK } from '@portcullis/domain';
import { describe, expect, it } from 'vitest';
import { assertWhole } from './faults.ts';
import { masked, mergeSecrets } from './secrets.ts';

const { proxy, email, syslog } = DEFAULT_NETWORK;

it.each([
  ['http://u:p@proxy:3128', 'http://u:********@proxy:3128'],
  ['u:p:with@colon@proxy', 'u:********@proxy'],
  ['http://proxy:3128', 'http://proxy:3128'],
  ['proxy:3128', 'proxy:3128'],
])('the proxy %s is shown as %s', (http_proxy, shown) => {
  expect(masked('proxy', { ...proxy, http_proxy }).http_proxy).toBe(shown);
});

describe('a secret', () => {
  const known = { ...email, password: 'p' };
  it.each([
    ['stays when it is absent', {}, 'p'],
    ['stays when it is masked', { password: '********' }, 'p'],
    ['is replaced by a new one', { password: 'q' }, 'q'],
    ['is cleared by null', { password: null }, null],
  ])('%s', (_, change, password) => {
    expect(mergeSecrets('email', known, change)).toEqual({ ...known, password });
  });

  it.each([
    ['none is stored', { ...proxy }],
    ['it is of another proxy', { ...proxy, http_proxy: 'http://u:p@other' }],
  ])('that is masked though %s is refused', (_, stored) => {
    expect(() => mergeSecrets('proxy', stored, { http_proxy: 'http://u:********@proxy' })).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        detail: { errors: [expect.objectContaining({ code: 'SECRET_UNKNOWN' })] },
      }),
    );
  });
});

it.each([
  ['email', { ...email, enabled: true }, ['host', 'from_address', 'to_addresses']],
  ['email', { ...email, enabled: false }, []],
  ['syslog', { ...syslog, syslog_enabled: true }, ['syslog_host']],
  ['syslog', { ...syslog, syslog_tls_client_cert: '/c' }, ['syslog_tls_client_key']],
  ['syslog', { ...syslog, syslog_auth_enabled: true }, ['syslog_auth_username']],
] as const)('%s lacks what it needs: %j', (section, settings, paths) => {
  const named = () => {
    try {
      assertWhole(section, settings);
      return [];
    } catch (error) {
      return (error as { detail: { errors: { path: string }[] } }).detail.errors.map(
        ({ path }) => path,
      );
    }
  };
  expect(named()).toEqual(paths);
});
