/** The connection test of single sign-on: a code with parameters for the outcome of each step. */
import { z } from 'zod';

export const OIDC_TEST_STEPS = [
  'settings',
  'discovery',
  'issuer',
  'endpoints',
  'keys',
  'pkce',
  'client',
  'redirect_uri',
  'logout',
  'groups_claim',
  'groups',
] as const;

/**
 * Every outcome of a step, with the names of its parameters. `fault` is a code where we could not
 * connect, otherwise empty; `reason` is what the provider or the library says, in English.
 */
export const OIDC_TEST_CODES = {
  ISSUER_MISSING: [],
  CLIENT_ID_MISSING: [],
  ISSUER_NOT_HTTPS: [],
  SETTINGS_COMPLETE: ['issuer', 'client_id'],
  PROVIDER_DISCOVERED: [],
  DISCOVERY_FAILED: ['fault', 'reason'],
  ISSUER_MATCHES: ['issuer'],
  ISSUER_DIFFERS: ['issuer'],
  ENDPOINTS_MISSING: ['endpoints'],
  ENDPOINTS_WITHOUT_TLS: ['endpoints'],
  ENDPOINTS_WITHOUT_TLS_ALLOWED: ['endpoints'],
  ENDPOINTS_HTTPS: [],
  KEYS_FOUND: ['count'],
  KEYS_MISSING: [],
  KEYS_UNREADABLE: ['fault', 'reason'],
  PKCE_SUPPORTED: [],
  PKCE_UNKNOWN: [],
  PKCE_UNSUPPORTED: ['methods'],
  CLIENT_ACCEPTED: [],
  CLIENT_REFUSED: [],
  CLIENT_UNKNOWN: ['fault', 'reason'],
  REDIRECT_URI: ['uri'],
  LOGOUT_URI: ['uri'],
  LOGOUT_UNSUPPORTED: [],
  GROUPS_UNUSED: [],
  GROUPS_CLAIM_LISTED: ['claim'],
  GROUPS_CLAIM_UNLISTED: ['claim'],
  GROUPS_CLAIM_UNKNOWN: ['claim'],
  GROUPS_SCOPE_UNREQUESTED: ['claim', 'scope'],
  GROUPS_MISSING: ['groups'],
  GROUPS_UNMAPPED: [],
  GROUPS_FOUND: [],
} as const satisfies Record<string, readonly string[]>;
export type OidcTestCode = keyof typeof OIDC_TEST_CODES;

const CODES = Object.keys(OIDC_TEST_CODES) as [OidcTestCode, ...OidcTestCode[]];

export const OidcTestStep = z.strictObject({
  name: z.enum(OIDC_TEST_STEPS),
  ok: z.boolean(),
  code: z.enum(CODES),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  /** `code` and `params` in English. */
  detail: z.string(),
});
export type OidcTestStep = z.infer<typeof OidcTestStep>;

export const OidcTest = z.strictObject({ success: z.boolean(), steps: z.array(OidcTestStep) });
export type OidcTest = z.infer<typeof OidcTest>;
