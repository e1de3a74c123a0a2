import { counter } from '../../../i18n/count.ts';

const count = counter('en');

/** The connection test of single sign-on. */
export const oidcTest = {
  steps: {
    settings: 'Settings',
    discovery: 'Discovery',
    issuer: 'Issuer',
    endpoints: 'Endpoints',
    keys: 'Signing keys',
    pkce: 'PKCE',
    client: 'Client ID and secret',
    redirect_uri: 'Redirect URI',
    logout: 'Sign-out',
    groups_claim: 'Groups of an account',
    groups: 'Group mapping',
  },
  /** What a step found, by code. */
  outcomes: {
    ISSUER_MISSING: 'Enter the URL of the issuer.',
    CLIENT_ID_MISSING: 'Enter the client ID.',
    ISSUER_NOT_HTTPS: 'The URL of the issuer must begin with https, unless TLS is not required.',
    SETTINGS_COMPLETE: (issuer: string, client: string) => `Issuer ${issuer}, client ID ${client}.`,
    PROVIDER_DISCOVERED: 'The provider published its configuration.',
    DISCOVERY_FAILED: 'The configuration of the provider could not be read.',
    ISSUER_MATCHES: (issuer: string) => `The provider calls itself ${issuer}.`,
    ISSUER_DIFFERS: (issuer: string) =>
      `The provider calls itself something other than ${issuer}. A slash at the end matters, too.`,
    ENDPOINTS_MISSING: (names: string) => `The provider does not publish: ${names}`,
    ENDPOINTS_WITHOUT_TLS: (names: string) => `Without TLS: ${names}`,
    ENDPOINTS_WITHOUT_TLS_ALLOWED: (names: string) =>
      `Without TLS, which the settings allow: ${names}`,
    ENDPOINTS_HTTPS: 'All endpoints use https.',
    KEYS_FOUND: (n: number) => `${count(n, 'signing key', 'signing keys')} found.`,
    KEYS_MISSING: 'The provider publishes no signing keys.',
    KEYS_UNREADABLE: 'The signing keys of the provider could not be read.',
    PKCE_SUPPORTED: 'The provider supports S256.',
    PKCE_UNKNOWN: 'The provider does not say whether it supports PKCE. It is used anyway.',
    PKCE_UNSUPPORTED: (methods: string) => `The provider does not support S256, only: ${methods}`,
    CLIENT_ACCEPTED: 'The provider accepted the client ID and the secret.',
    CLIENT_REFUSED: 'The provider rejected the client ID or the secret.',
    CLIENT_UNKNOWN: 'It could not be checked whether the provider accepts the client.',
    REDIRECT_URI: (uri: string) => `Register this redirect URI with the provider: ${uri}`,
    LOGOUT_URI: (uri: string) =>
      `Register this URI with the provider as the target after signing out: ${uri}`,
    LOGOUT_UNSUPPORTED:
      'The provider does not support signing out. Users are signed out of Portcullis only.',
    GROUPS_UNUSED: 'No setting needs the groups.',
    GROUPS_CLAIM_LISTED: (claim: string) =>
      `The provider lists the claim ${claim}. Whether it sends it for an account is known at a sign-in.`,
    GROUPS_CLAIM_UNLISTED: (claim: string) =>
      `The provider does not list the claim ${claim}, but may send it. Only a sign-in can tell.`,
    GROUPS_CLAIM_UNKNOWN: (claim: string) =>
      `The provider does not say which claims it sends. Only a sign-in can tell whether ${claim} is one of them.`,
    GROUPS_SCOPE_UNREQUESTED: (claim: string, scope: string) =>
      `The provider offers the scope ${scope}, which is not requested. Add it if ${claim} is missing at a sign-in.`,
    GROUPS_MISSING: (names: string) => `These groups do not exist in Portcullis: ${names}`,
    GROUPS_UNMAPPED: 'No groups are mapped.',
    GROUPS_FOUND: 'All mapped groups exist.',
  },
  /** Why the provider could not be asked, by code; other codes have their words elsewhere. */
  faults: {
    REGISTRY_UNREACHABLE: 'The provider cannot be reached.',
    REGISTRY_TLS_FAILED: 'The certificate of the provider is not trusted.',
    REGISTRY_SILENT: 'The provider stopped responding.',
    REGISTRY_TOO_SLOW: 'The provider is too slow.',
    REGISTRY_TIMEOUT: 'The provider did not respond in time.',
    REGISTRY_ANSWER_INVALID: 'The response of the provider is not valid HTTP.',
    REGISTRY_ANSWER_TOO_LARGE: 'The response of the provider is larger than allowed.',
    REDIRECT_REFUSED: 'The provider redirected to an address that is not allowed.',
  } as Readonly<Record<string, string>>,
};
