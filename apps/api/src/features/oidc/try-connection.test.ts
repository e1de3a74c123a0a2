import { expect, it } from 'vitest';
import { OIDC_DEFAULTS } from './settings.ts';
import { groupsClaim } from './try-connection.ts';

const issuer = 'https://idp.example';
const ready = { ...OIDC_DEFAULTS, issuer, clientId: 'portcullis', adminGroups: ['chiefs'] };

it.each([
  ['Okta lists the claim', { claims_supported: ['sub', 'groups'] }, {}, 'GROUPS_CLAIM_LISTED'],
  [
    'the claim is a path below a listed one',
    { claims_supported: ['realm_access'] },
    { groupsClaim: 'realm_access.roles' },
    'GROUPS_CLAIM_LISTED',
  ],
  [
    'Keycloak and Entra leave it out, though a mapper may send it',
    { claims_supported: ['sub', 'email'] },
    {},
    'GROUPS_CLAIM_UNLISTED',
  ],
  ['Google publishes no list with it', {}, {}, 'GROUPS_CLAIM_UNKNOWN'],
  [
    'Dex sends it for a scope',
    { claims_supported: ['sub'], scopes_supported: ['openid', 'groups'] },
    {},
    'GROUPS_SCOPE_UNREQUESTED',
  ],
  [
    'the scope is requested',
    { claims_supported: ['groups'], scopes_supported: ['openid', 'groups'] },
    { scopes: ['openid', 'groups'] },
    'GROUPS_CLAIM_LISTED',
  ],
  [
    'a claim has another name that begins alike',
    { claims_supported: ['group'] },
    {},
    'GROUPS_CLAIM_UNLISTED',
  ],
  ['no setting needs groups', { claims_supported: [] }, { adminGroups: [] }, 'GROUPS_UNUSED'],
])('where %s, the test says so', (_, server, change, code) => {
  expect(groupsClaim({ issuer, ...server }, { ...ready, ...change })).toMatchObject({
    ok: true,
    code,
  });
});
