import { describe, expect, it } from 'vitest';
import { networkFromEnv } from './network-env.ts';
import {
  auditGroups,
  DEFAULT_NETWORK,
  isLoginEvent,
  isMailAddress,
  isProxyUrl,
  mapSecrets,
  sectionInForce,
} from './network-settings.ts';

const open = (sealed: string) => sealed.replace('sealed:', '');

describe('networkFromEnv', () => {
  it('is the default where nothing is set', () => {
    expect(networkFromEnv({})).toEqual(DEFAULT_NETWORK);
  });

  it('reads every variable of the specification', () => {
    const { proxy, syslog, email } = networkFromEnv({
      HTTP_PROXY: 'http://proxy:3128',
      https_proxy: 'proxy:3129',
      NO_PROXY: 'registry.local,10.0.0.0/8',
      SYSLOG_ENABLED: 'true',
      SYSLOG_HOST: 'logs.example.com',
      SYSLOG_PORT: '6514',
      SYSLOG_PROTOCOL: 'TCP+TLS',
      SYSLOG_RFC: 'rfc3164',
      SYSLOG_FRAMING: 'newline',
      SYSLOG_FORWARD_AUDIT: 'false',
      SYSLOG_FORWARD_UVICORN: 'true',
      SYSLOG_TLS_VERIFY: 'false',
      SYSLOG_TLS_CA_CERT: '/ca.pem',
      SYSLOG_AUTH_ENABLED: 'true',
      SYSLOG_AUTH_USERNAME: 'u',
      SYSLOG_AUTH_PASSWORD: 'p',
      EMAIL_ENABLED: 'true',
      EMAIL_HOST: 'mail.example.com',
      EMAIL_PORT: '465',
      EMAIL_SECURITY: 'ssl',
      EMAIL_USERNAME: 'm',
      EMAIL_PASSWORD: 'secret',
      EMAIL_FROM_ADDRESS: 'Portcullis <gate@example.com>',
      EMAIL_TO_ADDRESSES: 'a@example.com, b@example.com',
      EMAIL_NOTIFY_LOGIN: 'true',
      EMAIL_NOTIFY_AUDIT: 'true',
    });
    expect(proxy).toEqual({
      http_proxy: 'http://proxy:3128',
      https_proxy: 'proxy:3129',
      no_proxy: 'registry.local,10.0.0.0/8',
    });
    expect(syslog).toMatchObject({
      syslog_enabled: true,
      syslog_host: 'logs.example.com',
      syslog_port: 6514,
      syslog_protocol: 'tcp+tls',
      syslog_rfc: 'rfc3164',
      syslog_framing: 'newline',
      syslog_forward_audit: false,
      syslog_forward_uvicorn: true,
      syslog_tls_verify: false,
      syslog_tls_ca_cert: '/ca.pem',
      syslog_auth_enabled: true,
      syslog_auth_username: 'u',
      syslog_auth_password: 'p',
    });
    expect(email).toMatchObject({
      enabled: true,
      host: 'mail.example.com',
      port: 465,
      security: 'ssl',
      username: 'm',
      password: 'secret',
      from_address: 'Portcullis <gate@example.com>',
      to_addresses: ['a@example.com', 'b@example.com'],
      notify_login: true,
      notify_audit: true,
    });
  });

  it('reports every wrong variable', () => {
    const wrong = {
      SYSLOG_PORT: '0',
      SYSLOG_FRAMING: 'lf',
      EMAIL_SECURITY: 'tls',
      EMAIL_TO_ADDRESSES: 'x',
      HTTP_PROXY: 'ftp://x',
    };
    expect(() => networkFromEnv(wrong)).toThrow(
      /HTTP_PROXY[\s\S]*SYSLOG_PORT[\s\S]*SYSLOG_FRAMING[\s\S]*EMAIL_SECURITY[\s\S]*EMAIL_TO_ADDRESSES/,
    );
  });
});

describe('sectionInForce: stored over environment over default', () => {
  const env = networkFromEnv({ SYSLOG_HOST: 'from-env', SYSLOG_PORT: '1514' });

  it('is the environment where nothing is stored', () => {
    expect(sectionInForce('syslog', null, { env, open })).toMatchObject({
      settings: { syslog_host: 'from-env', syslog_port: 1514 },
      source: 'env',
    });
  });

  it('is the whole stored section, with decrypted secrets', () => {
    const stored = {
      syslog_host: 'stored',
      syslog_auth_password: 'sealed:p',
      since: 7,
      enabledBy: 'r1',
    };
    expect(sectionInForce('syslog', stored, { env, open })).toEqual({
      settings: { ...DEFAULT_NETWORK.syslog, syslog_host: 'stored', syslog_auth_password: 'p' },
      source: 'override',
      since: 7,
      enabledBy: 'r1',
    });
  });
});

it('mapSecrets changes only secrets that are set', () => {
  const email = { ...DEFAULT_NETWORK.email, username: 'u', password: 'p' };
  expect(mapSecrets('email', email, () => 'x')).toEqual({ ...email, password: 'x' });
  expect(mapSecrets('email', DEFAULT_NETWORK.email, () => 'x')).toEqual(DEFAULT_NETWORK.email);
});

it.each([
  ['nothing enabled', {}, {}, ['archive', 'webhooks', 'notifications']],
  ['syslog', { syslog_enabled: true }, {}, ['archive', 'webhooks', 'notifications', 'syslog']],
  [
    'syslog for application logs alone',
    { syslog_enabled: true, syslog_forward_audit: false },
    {},
    ['archive', 'webhooks', 'notifications'],
  ],
  [
    'e-mail without notifications, for requesters of waivers',
    {},
    { enabled: true },
    ['archive', 'webhooks', 'notifications', 'email'],
  ],
  [
    'e-mail of logins',
    {},
    { enabled: true, notify_login: true },
    ['archive', 'webhooks', 'notifications', 'email'],
  ],
  [
    'e-mail switched off as a whole',
    {},
    { enabled: false, notify_audit: true },
    ['archive', 'webhooks', 'notifications'],
  ],
])('events are kept for the groups: %s', (_, syslog, email, groups) => {
  const { proxy } = DEFAULT_NETWORK;
  const settings = {
    proxy,
    syslog: { ...DEFAULT_NETWORK.syslog, ...syslog },
    email: { ...DEFAULT_NETWORK.email, ...email },
  };
  expect(auditGroups(settings)).toEqual(groups);
});

it.each([
  ['auth.login', true],
  ['auth.logout', true],
  ['oidc.login', true],
  ['folders.create', false],
  ['auth.login_settings', false],
])('%s is a web login or logout: %s', (event, expected) => {
  expect(isLoginEvent(event)).toBe(expected);
});

it.each([
  ['a@example.com', true],
  ['Portcullis <a@example.com>', true],
  ['a', false],
  ['a@b@c', false],
  ['a@example.com\r\nBcc: b@example.com', false],
  ['x\r\nBcc: b@example.com <a@example.com>', false],
  ['a@example.com, b@example.com', false],
])('%j is a mail address: %s', (text, expected) => {
  expect(isMailAddress(text)).toBe(expected);
});

it.each([
  ['http://user:pass@proxy:3128', true],
  ['proxy.example.com:3128', true],
  ['socks5://proxy', false],
  ['http://user:1/rest-of-password@proxy', false],
  ['http://', false],
])('%j is the URL of a proxy: %s', (text, expected) => {
  expect(isProxyUrl(text)).toBe(expected);
});
