import { z } from 'zod';
import { rule } from '../field-faults.ts';
import type { Contract } from '../operation.ts';
import { OidcTest } from '../outcomes/oidc-test.ts';
import { ISSUER, LOCAL_PATH, NONBLANK } from '../patterns.ts';

/** Shown in place of a secret that is set; sent back, it keeps the stored secret. */
export const MASK = '********';

const Name = z.string().trim().min(1).max(255).meta({ pattern: NONBLANK });
const Names = z.array(Name).max(200);

/** A path of our own web page, in no form that a browser reads as another host. */
export function isLocalPath(text: string): boolean {
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text);
}

export const Issuer = z
  .string()
  .max(1000)
  .refine(
    (text) => {
      const url = URL.parse(text);
      const http = url?.protocol === 'https:' || url?.protocol === 'http:';
      return url !== null && http && !url.search && !url.hash && !url.username && !url.password;
    },
    rule(
      'ISSUER_INVALID',
      'An http or https URL without a query, as the provider names itself, is expected.',
    ),
  )
  .meta({ pattern: ISSUER });

const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/;
const Scope = z
  .string()
  .refine((text) => SCOPE.test(text), rule('SCOPE_INVALID', 'A scope of OAuth 2.0 is expected.'))
  .meta({ pattern: SCOPE.source });

export const OidcSettings = z.strictObject({
  enabled: z.boolean(),
  /** Shown on the button of the sign-in page. */
  provider_name: Name,
  issuer: Issuer.nullable(),
  client_id: Name.nullable(),
  /** Masked; null for a public client, which uses PKCE only. */
  client_secret: z.string().min(1).max(4096).nullable(),
  scopes: z.array(Scope).max(50),
  /** A claim by its name or by its path (`realm_access.roles`). */
  username_claim: Name,
  groups_claim: Name,
  /** Provider groups whose members are administrators. If empty, administrators are set by hand. */
  admin_groups: Names,
  /** Provider groups whose members may log in. If empty, all accounts may. */
  allowed_groups: Names,
  /** Maps provider groups to our groups, by name. */
  group_mapping: z.array(z.strictObject({ claim: Name, group: Name })).max(500),
  oidc_only: z.boolean(),
  /** Accepts a plain-HTTP issuer on another host than this one. */
  allow_insecure: z.boolean(),
  /** PEM; trusted in addition to the well-known authorities. */
  ca_cert: z.string().min(1).max(100_000).nullable(),
});
export type OidcSettings = z.infer<typeof OidcSettings>;

/**
 * An absent field keeps its value; null removes the stored value, so that the environment or the
 * default applies.
 */
export const OidcSettingsChange = z.strictObject(
  // Each field separately: the compiler cannot follow the types through `fromEntries`.
  Object.fromEntries(
    Object.entries(OidcSettings.shape).map(([name, field]) => [name, field.nullable().optional()]),
  ) as { [K in keyof OidcSettings]: z.ZodOptional<z.ZodNullable<(typeof OidcSettings.shape)[K]>> },
);
export type OidcSettingsChange = z.infer<typeof OidcSettingsChange>;

export const OidcConfig = z.strictObject({
  enabled: z.boolean(),
  oidc_only: z.boolean(),
  provider_name: z.string(),
  login_url: z.string(),
  /** The address that a browser opens after `POST /auth/logout`, to log out at the provider too. */
  logout_url: z.string(),
});
export type OidcConfig = z.infer<typeof OidcConfig>;

const SETTINGS_FAULTS = [{ status: 422, codes: ['VALIDATION_FAILED', 'CA_CERT_INVALID'] }] as const;

export const oidc = {
  config: {
    method: 'get',
    path: '/oidc/config',
    summary: 'What the sign-in page needs to know',
    access: 'public',
    success: { status: 200, body: OidcConfig },
  },
  login: {
    method: 'get',
    path: '/oidc/login',
    summary: 'Redirect to the identity provider',
    access: 'public',
    // A redirected client is recorded when it returns. Without a configured provider there is no
    // attempt to log in.
    auditFaults: { event: 'auth.login', codes: ['OIDC_PROVIDER_UNAVAILABLE'] },
    query: z.object({
      next: z
        .string()
        .max(2000)
        .refine(isLocalPath, rule('LOCAL_PATH_INVALID', 'A path of this site is expected.'))
        .meta({ pattern: LOCAL_PATH })
        .optional(),
    }),
    success: { status: 302, faultsTo: '/login' },
    faults: [
      { status: 404, codes: ['OIDC_DISABLED'] },
      { status: 503, codes: ['OIDC_PROVIDER_UNAVAILABLE'] },
    ],
  },
  callback: {
    method: 'get',
    path: '/oidc/callback',
    summary: 'Return from the identity provider, and log in',
    access: 'public',
    audit: 'auth.login',
    /** Providers add parameters that are not requested. */
    query: z.object({
      code: z.string().max(4096).optional(),
      state: z.string().max(512).optional(),
      error: z.string().max(512).optional(),
    }),
    success: { status: 302, faultsTo: '/login' },
    faults: [
      { status: 401, codes: ['OIDC_STATE_INVALID', 'OIDC_LOGIN_FAILED'] },
      {
        status: 403,
        codes: [
          'ACCOUNT_DISABLED',
          'OIDC_DENIED',
          'OIDC_GROUPS_MISSING',
          'OIDC_NOT_ALLOWED',
          'OIDC_USERNAME_TAKEN',
        ],
      },
      { status: 404, codes: ['OIDC_DISABLED'] },
      { status: 503, codes: ['OIDC_PROVIDER_UNAVAILABLE'] },
    ],
  },
  logout: {
    method: 'get',
    path: '/oidc/logout',
    summary: 'Redirect to the identity provider’s logout after the session has ended here',
    access: 'public',
    success: { status: 302, faultsTo: '/login' },
  },
  settings: {
    method: 'get',
    path: '/oidc/settings',
    summary: 'The settings in force: stored settings, else the environment, else defaults',
    access: 'admin',
    success: { status: 200, body: OidcSettings },
  },
  change: {
    method: 'put',
    path: '/oidc/settings',
    summary: 'Change settings; they take effect at once, and an absent or masked secret is kept',
    access: 'admin',
    audit: 'oidc.settings',
    body: OidcSettingsChange,
    success: { status: 200, body: OidcSettings },
    faults: [...SETTINGS_FAULTS, { status: 409, codes: ['OIDC_ONLY_NO_ADMIN'] }],
  },
  test: {
    method: 'post',
    path: '/oidc/test',
    summary:
      'Test the connection step by step, with the settings in force overridden by those sent',
    access: 'admin',
    audit: 'oidc.test',
    body: OidcSettingsChange,
    success: { status: 200, body: OidcTest },
    faults: SETTINGS_FAULTS,
  },
} as const satisfies Contract;
