/** Reads the settings from `OIDC_*`. Unset ones are omitted: stored settings or defaults apply. */
import { OidcSettings as Fields } from '@portcullis/contract';
import { type Env, parseEnv, secret } from '@portcullis/runtime';
import { boolean } from '@portcullis/runtime/env-kinds';
import { z } from 'zod';
import { type OidcGiven, TOKEN_AUTH_METHODS } from './settings.ts';

const { shape } = Fields;

const list = (schema: z.ZodType<string[], string[]>) =>
  z
    .string()
    .transform((text) => names(text))
    .pipe(schema);

export const OidcEnv = z.object({
  OIDC_ENABLED: boolean.optional(),
  OIDC_PROVIDER_NAME: shape.provider_name.optional(),
  OIDC_ISSUER: shape.issuer.unwrap().optional(),
  OIDC_CLIENT_ID: shape.client_id.unwrap().optional(),
  OIDC_CLIENT_SECRET: secret(z.string().optional()),
  OIDC_SCOPES: z
    .string()
    .transform((text) => split(text, /[\s,]+/))
    .pipe(shape.scopes)
    .optional(),
  OIDC_USERNAME_CLAIM: shape.username_claim.optional(),
  OIDC_GROUPS_CLAIM: shape.groups_claim.optional(),
  OIDC_ADMIN_GROUPS: list(shape.admin_groups).optional(),
  OIDC_ALLOWED_GROUPS: list(shape.allowed_groups).optional(),
  /** `provider-group=portcullis-group,…` */
  OIDC_GROUP_MAPPING: z
    .string()
    .transform((text) => names(text).map(pair))
    .pipe(shape.group_mapping)
    .optional(),
  OIDC_ONLY: boolean.optional(),
  OIDC_ALLOW_INSECURE: boolean.optional(),
  /** Not a secret, but long: it may come from a file too. */
  OIDC_CA_CERT: secret(z.string().optional()),
  OIDC_TOKEN_AUTH_METHOD: z.enum(TOKEN_AUTH_METHODS).optional(),
  OIDC_CLOCK_TOLERANCE_SECONDS: z.coerce.number().int().min(0).max(600).optional(),
});

/** @throws invalid with all faults */
export function oidcFromEnv(env: Env): Partial<OidcGiven> {
  const read = parseEnv(OidcEnv, env);
  return present({
    enabled: read.OIDC_ENABLED,
    providerName: read.OIDC_PROVIDER_NAME,
    issuer: read.OIDC_ISSUER,
    clientId: read.OIDC_CLIENT_ID,
    clientSecret: read.OIDC_CLIENT_SECRET,
    scopes: read.OIDC_SCOPES,
    usernameClaim: read.OIDC_USERNAME_CLAIM,
    groupsClaim: read.OIDC_GROUPS_CLAIM,
    adminGroups: read.OIDC_ADMIN_GROUPS,
    allowedGroups: read.OIDC_ALLOWED_GROUPS,
    groupMapping: read.OIDC_GROUP_MAPPING,
    oidcOnly: read.OIDC_ONLY,
    allowInsecure: read.OIDC_ALLOW_INSECURE,
    caCert: read.OIDC_CA_CERT,
    tokenAuthMethod: read.OIDC_TOKEN_AUTH_METHOD,
    clockToleranceSeconds: read.OIDC_CLOCK_TOLERANCE_SECONDS,
  });
}

function present(given: { [K in keyof OidcGiven]: OidcGiven[K] | undefined }): Partial<OidcGiven> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function split(text: string, by: RegExp): string[] {
  return text
    .split(by)
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Distinguished names contain commas, so a semicolon separates if there is one. */
function names(text: string): string[] {
  return split(text, text.includes(';') ? /;/ : /,/);
}

/** Splits at the last `=`, because a provider's group may be a distinguished name. */
function pair(text: string): { claim: string; group: string } {
  const equals = text.lastIndexOf('=');
  return { claim: text.slice(0, Math.max(0, equals)), group: text.slice(equals + 1) };
}
