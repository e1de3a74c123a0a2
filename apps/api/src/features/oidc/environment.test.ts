import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { oidcFromEnv } from './environment.ts';
import { isSecure } from './settings.ts';

it('what isn’t set in the environment comes from the store or the defaults', () => {
  expect(oidcFromEnv({ OIDC_ISSUER: '', HOME: '/root' })).toEqual({});
});

it('every setting can come from the environment', async () => {
  await using dir = await temporaryDir();
  const file = join(dir.path, 'secret');
  await writeFile(file, 'from a file\n');
  const env = {
    OIDC_ENABLED: 'yes',
    OIDC_PROVIDER_NAME: 'Example',
    OIDC_ISSUER: 'https://id.example.com',
    OIDC_CLIENT_ID: 'portcullis',
    OIDC_CLIENT_SECRET_FILE: file,
    OIDC_SCOPES: 'openid profile groups',
    OIDC_USERNAME_CLAIM: 'email',
    OIDC_GROUPS_CLAIM: 'realm_access.roles',
    OIDC_ADMIN_GROUPS: 'chiefs',
    OIDC_ALLOWED_GROUPS: 'staff, guests',
    OIDC_GROUP_MAPPING: 'cn=ops,dc=example=operators; idp-dev=developers',
    OIDC_ONLY: 'false',
    OIDC_ALLOW_INSECURE: 'false',
    OIDC_CA_CERT: 'pem',
  };
  expect(oidcFromEnv(env)).toEqual({
    enabled: true,
    providerName: 'Example',
    issuer: 'https://id.example.com',
    clientId: 'portcullis',
    clientSecret: 'from a file',
    scopes: ['openid', 'profile', 'groups'],
    usernameClaim: 'email',
    groupsClaim: 'realm_access.roles',
    adminGroups: ['chiefs'],
    allowedGroups: ['staff', 'guests'],
    groupMapping: [
      { claim: 'cn=ops,dc=example', group: 'operators' },
      { claim: 'idp-dev', group: 'developers' },
    ],
    oidcOnly: false,
    allowInsecure: false,
    caCert: 'pem',
  });
});

it.each([
  ['OIDC_ISSUER', 'id.example.com'],
  ['OIDC_ENABLED', 'perhaps'],
  ['OIDC_GROUP_MAPPING', 'no equals sign'],
  ['OIDC_CLIENT_SECRET_FILE', '/nowhere/at/all'],
])('a wrong %s is named', (name, value) => {
  expect(() => oidcFromEnv({ [name]: value })).toThrow(name);
});

it.each([
  ['https://id.example.com', false, true],
  ['http://id.example.com', false, false],
  ['http://id.example.com', true, true],
  ['http://localhost:8080', false, true],
  ['http://127.0.0.2:8080', false, true],
  ['http://[::1]:8080', false, true],
  ['http://localhost.evil.example', false, false],
  ['http://127.0.0.1.evil.example', false, false],
])('%s may be asked (plain HTTP allowed: %s): %s', (issuer, allowInsecure, secure) => {
  expect(isSecure({ issuer, allowInsecure })).toBe(secure);
});
