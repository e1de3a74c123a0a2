/** The outcomes of the connection test in English. */
import type { OIDC_TEST_CODES, OidcTestCode } from '@portcullis/contract';

type Names<C extends OidcTestCode> = (typeof OIDC_TEST_CODES)[C][number];
export type StepParams<C extends OidcTestCode> = Readonly<Record<Names<C>, string | number>>;

export const STEP_DETAILS: { [C in OidcTestCode]: (params: StepParams<C>) => string } = {
  ISSUER_MISSING: () => 'The issuer is missing.',
  CLIENT_ID_MISSING: () => 'The client id is missing.',
  ISSUER_NOT_HTTPS: () => 'The issuer has to be https, unless plain HTTP is allowed.',
  SETTINGS_COMPLETE: ({ issuer, client_id }) => `${issuer}, as ${client_id}`,
  PROVIDER_DISCOVERED: () => 'The provider describes itself.',
  DISCOVERY_FAILED: ({ reason }) => `The provider can not be asked: ${reason}`,
  ISSUER_MATCHES: ({ issuer }) => `The provider names itself ${issuer}`,
  ISSUER_DIFFERS: ({ issuer }) =>
    `The provider gives itself another name than ${issuer}; a slash at the end counts, too.`,
  ENDPOINTS_MISSING: ({ endpoints }) => `The provider does not say its ${endpoints}.`,
  ENDPOINTS_WITHOUT_TLS: ({ endpoints }) => `Without TLS: ${endpoints}.`,
  ENDPOINTS_WITHOUT_TLS_ALLOWED: ({ endpoints }) =>
    `Without TLS: ${endpoints}. The settings allow it.`,
  ENDPOINTS_HTTPS: () => 'All of them are https.',
  KEYS_FOUND: ({ count }) => `${count} signing keys.`,
  KEYS_MISSING: () => 'The provider publishes no keys.',
  KEYS_UNREADABLE: ({ reason }) => `The provider’s keys can not be read: ${reason}`,
  PKCE_SUPPORTED: () => 'The provider supports S256.',
  PKCE_UNKNOWN: () => 'The provider does not say; it is sent all the same.',
  PKCE_UNSUPPORTED: ({ methods }) => `The provider supports ${methods}, but not S256.`,
  CLIENT_ACCEPTED: () => 'The provider knows the client and takes its secret.',
  CLIENT_REFUSED: () => 'The provider refuses the client id or its secret.',
  CLIENT_UNKNOWN: ({ reason }) =>
    `It is unknown whether the provider accepts the client: ${reason}`,
  REDIRECT_URI: ({ uri }) => `Register this address with the provider: ${uri}`,
  LOGOUT_URI: ({ uri }) => `Register this address with the provider for after the logout: ${uri}`,
  LOGOUT_UNSUPPORTED: () => 'The provider has no logout; one is logged out here alone.',
  GROUPS_UNUSED: () => 'No setting needs the groups.',
  GROUPS_CLAIM_LISTED: ({ claim }) =>
    `The provider lists the claim ${claim}. Whether it sends it for an account is known at a login.`,
  GROUPS_CLAIM_UNLISTED: ({ claim }) =>
    `The provider does not list the claim ${claim}, but may send it. Only a login can tell.`,
  GROUPS_CLAIM_UNKNOWN: ({ claim }) =>
    `The provider does not say which claims it sends. Only a login can tell whether ${claim} is one.`,
  GROUPS_SCOPE_UNREQUESTED: ({ claim, scope }) =>
    `The provider offers the scope ${scope}, which the settings don't request. Request it if ${claim} is missing at a login.`,
  GROUPS_MISSING: ({ groups }) => `There are no such groups here: ${groups}.`,
  GROUPS_UNMAPPED: () => 'None are mapped.',
  GROUPS_FOUND: () => 'All mapped groups are here.',
};
