/**
 * Keyless sign-in: trust rules for the identity tokens of CI systems, and their exchange for tokens
 * of robots (RFC 8693).
 */
import { MOST_TRUST_MINUTES, namesAnOwner } from '@portcullis/domain';
import { z } from 'zod';
import { Time, Uuid } from '../../common.ts';
import { rule } from '../../field-faults.ts';
import type { Contract } from '../../operation.ts';
import { NONBLANK, ONE_LINE } from '../../patterns.ts';
import { Issuer } from '../oidc.ts';
import { CaCert } from '../registries.ts';
import { TokenScope } from '../tokens.ts';

const Claim = z.string().min(1).max(128).meta({ pattern: '^[!-~]+$' });
const Pattern = z
  .string()
  .min(1)
  .max(255)
  .refine(
    (text) => !text.includes('***'),
    rule('CLAIM_PATTERN_INVALID', 'At most two stars in a row are expected.'),
  )
  .meta({ pattern: ONE_LINE });

/** Claim → patterns of which its value has to match one: `*` within a segment, `**` across them. */
export const TrustConditions = z
  .record(Claim, z.array(Pattern).min(1).max(20))
  .refine(
    namesAnOwner,
    rule(
      'TRUST_TOO_WIDE',
      'Tokens of any owner would match: name an owner in repository, repository_owner, project_path, namespace_path or sub, without a wildcard in it.',
    ),
  )
  .meta({ examples: [{ repository: ['acme/app'], ref: ['refs/heads/main', 'refs/tags/*'] }] });

const FIELDS = {
  name: z.string().trim().min(1).max(128).meta({ pattern: NONBLANK }),
  issuer: Issuer.meta({ examples: ['https://token.actions.githubusercontent.com'] }),
  audience: z.string().min(1).max(255).meta({ pattern: ONE_LINE }),
  conditions: TrustConditions,
  robot_id: Uuid,
  scope: TokenScope,
  /** How long the tokens that it gives are valid. */
  minutes: z.number().int().min(1).max(MOST_TRUST_MINUTES),
  /** PEM; trusted for the issuer in addition to the well-known authorities. */
  ca_cert: CaCert.nullable(),
  enabled: z.boolean(),
};

export const TrustRuleView = z.strictObject({
  id: Uuid,
  name: z.string(),
  issuer: z.string(),
  audience: z.string(),
  conditions: z.record(z.string(), z.array(z.string())),
  robot: z.strictObject({ id: Uuid, name: z.string() }),
  scope: TokenScope,
  minutes: z.number().int(),
  ca_cert: z.string().nullable(),
  enabled: z.boolean(),
  created_by: z.string(),
  created_at: Time,
  last_used_at: Time.nullable(),
});
export type TrustRuleView = z.infer<typeof TrustRuleView>;

export const NewTrustRule = z.strictObject({
  ...FIELDS,
  minutes: FIELDS.minutes.default(MOST_TRUST_MINUTES),
  ca_cert: FIELDS.ca_cert.default(null),
  enabled: FIELDS.enabled.default(true),
});
export type NewTrustRule = z.infer<typeof NewTrustRule>;
export const TrustRuleChange = z.strictObject(FIELDS).partial();
export type TrustRuleChange = z.infer<typeof TrustRuleChange>;

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const IDENTITY_TOKEN_TYPES = [
  'urn:ietf:params:oauth:token-type:id_token',
  'urn:ietf:params:oauth:token-type:jwt',
] as const;
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';

/** A JSON Web Token in its compact form. */
export const IdentityToken = z.string().min(1).max(16_384).meta({ pattern: ONE_LINE });

export const TokenExchange = z.strictObject({
  grant_type: z.literal(TOKEN_EXCHANGE),
  subject_token: IdentityToken,
  subject_token_type: z.enum(IDENTITY_TOKEN_TYPES),
  /** The token that was given for this identity token before, which may have ended. */
  actor_token: z.string().min(1).max(256).meta({ pattern: ONE_LINE }).optional(),
  actor_token_type: z.literal(ACCESS_TOKEN_TYPE).optional(),
  /** Which rule, where several accept the token; by default the first by name. */
  trust: z.string().min(1).max(128).optional(),
});
export type TokenExchange = z.infer<typeof TokenExchange>;

export const ExchangedToken = z.strictObject({
  access_token: z.string(),
  issued_token_type: z.literal(ACCESS_TOKEN_TYPE),
  token_type: z.literal('Bearer'),
  /** Seconds. */
  expires_in: z.number().int(),
  /** The robot, which is also the username of `docker login` with this token. */
  username: z.string(),
});
export type ExchangedToken = z.infer<typeof ExchangedToken>;

/** What the rules say of one identity token. */
export const TrustTest = z.strictObject({
  /** The code of what is wrong with the token; null: its signature, issuer and times are valid. */
  fault: z.string().nullable(),
  issuer: z.string().nullable(),
  audiences: z.array(z.string()),
  /** The claims that conditions can name, as text. */
  claims: z.record(z.string(), z.string()),
  /** The rules of this issuer. */
  rules: z.array(
    z.strictObject({
      id: Uuid,
      name: z.string(),
      accepts: z.boolean(),
      /** Whether the rule and its robot are enabled. */
      enabled: z.boolean(),
      audience_matches: z.boolean(),
      conditions: z.array(
        z.strictObject({
          claim: z.string(),
          patterns: z.array(z.string()),
          found: z.string().nullable(),
          matches: z.boolean(),
        }),
      ),
    }),
  ),
});
export type TrustTest = z.infer<typeof TrustTest>;

const TrustParams = z.strictObject({ id: Uuid });
const NO_TRUST = { status: 404, codes: ['TRUST_UNKNOWN'] };
const REFUSED = {
  status: 422,
  codes: ['VALIDATION_FAILED', 'CA_CERT_INVALID'],
};
const TAKEN = { status: 409, codes: ['TRUST_NAME_TAKEN'] };

export const trusts = {
  list: {
    method: 'get',
    path: '/trusts',
    summary: 'Trust rules for identity tokens, by name',
    access: 'admin',
    success: { status: 200, body: z.array(TrustRuleView) },
  },
  create: {
    method: 'post',
    path: '/trusts',
    summary: 'Create a trust rule: which identity tokens get tokens of which robot',
    access: 'admin',
    audit: 'trust.create',
    body: NewTrustRule,
    success: { status: 201, body: TrustRuleView },
    faults: [
      { status: 404, codes: ['ROBOT_UNKNOWN'] },
      { status: 409, codes: ['TRUST_NAME_TAKEN', 'TRUSTS_MANY'] },
      REFUSED,
    ],
  },
  update: {
    method: 'patch',
    path: '/trusts/{id}',
    summary: 'Change a trust rule; what it gave ends at once',
    access: 'admin',
    audit: 'trust.update',
    params: TrustParams,
    body: TrustRuleChange,
    success: { status: 200, body: TrustRuleView },
    faults: [{ status: 404, codes: ['TRUST_UNKNOWN', 'ROBOT_UNKNOWN'] }, TAKEN, REFUSED],
  },
  remove: {
    method: 'delete',
    path: '/trusts/{id}',
    summary: 'Delete a trust rule; what it gave ends at once',
    access: 'admin',
    audit: 'trust.delete',
    params: TrustParams,
    success: { status: 204 },
    faults: [NO_TRUST],
  },
  test: {
    method: 'post',
    path: '/trusts/test',
    summary: 'Say what each rule thinks of an identity token, without exchanging it',
    access: 'admin',
    audit: 'trust.test',
    body: z.strictObject({ token: IdentityToken }),
    success: { status: 200, body: TrustTest },
  },
  exchange: {
    method: 'post',
    path: '/auth/exchange',
    summary: "Exchange a CI system's identity token for a token of a robot (RFC 8693)",
    access: 'public',
    audit: 'auth.exchange',
    body: TokenExchange,
    form: true,
    success: { status: 200, body: ExchangedToken },
    faults: [
      {
        status: 401,
        codes: [
          'IDENTITY_TOKEN_INVALID',
          'IDENTITY_TOKEN_EXPIRED',
          'IDENTITY_TOKEN_REPLAYED',
          'IDENTITY_UNTRUSTED',
        ],
      },
      { status: 503, codes: ['ISSUER_UNAVAILABLE'] },
      { status: 429, codes: ['LOGIN_THROTTLED'] },
    ],
  },
} as const satisfies Contract;
