import { LOCAL_REGISTRY_ID, NO_NAMESPACE } from '@portcullis/domain';
import { isRepository } from '@portcullis/oci';
import { z } from 'zod';
import { Time, Uuid } from '../common.ts';
import { rule, violation } from '../field-faults.ts';
import { HostText, Password, Username } from '../grammar.ts';
import type { Contract } from '../operation.ts';
import { NONBLANK } from '../patterns.ts';
import { TOKENS_OF_REGISTRIES } from '../token-actions.ts';

/** `__local__` is the built-in registry. */
export const RegistryId = z.union([Uuid, z.literal(LOCAL_REGISTRY_ID)]);

export const Registry = z.strictObject({
  id: RegistryId,
  name: z.string(),
  /** `host[:port]` */
  host: z.string(),
  username: z.string().nullable(),
  has_password: z.boolean(),
  /** `global`, or the username of the owner. */
  owner: z.string(),
  use_tls: z.boolean(),
  tls_verify: z.boolean(),
  ca_cert: z.string().nullable(),
  /** `host[:port]` of token services on other domains that may have the login. */
  token_hosts: z.array(z.string()),
  /**
   * Put before the path of a push in place of its first segment; `/`: the path stays. Null: the
   * username replaces the first segment, where it can be one.
   */
  push_namespace: z.string().nullable(),
  /** The policy of pushes to it; null: the default policy. */
  policy_id: Uuid.nullable(),
  /** True for the built-in registry, which cannot be changed. */
  system: z.boolean(),
  /** Null for the built-in registry. */
  created_at: Time.nullable(),
  last_check: z
    .strictObject({
      at: Time,
      ok: z.boolean(),
      /** What failed; null where it is usable. */
      code: z.string().nullable(),
      message: z.string(),
    })
    .nullable(),
});
export type Registry = z.infer<typeof Registry>;

export const RegistryCheck = z.strictObject({
  /** A server that implements the registry API answers. */
  reachable: z.boolean(),
  /** The registry accepts the given credentials, or anonymous access without any. */
  authenticated: z.boolean(),
  /** The registry lists its repositories to these credentials. */
  catalog: z.boolean(),
  /** What failed; null where the registry is usable. */
  code: z.string().nullable(),
  message: z.string(),
  latency_ms: z.number().int(),
});
export type RegistryCheck = z.infer<typeof RegistryCheck>;

const Name = z.string().trim().min(1).max(128).meta({ pattern: NONBLANK });
export const CaCert = z.string().max(65_536);

/** Null clears the field, as does the empty text that forms send. */
function clearable<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (value === '' ? null : value), schema.nullish());
}

const TokenHosts = z.array(HostText).max(10);

const PushNamespace = z
  .string()
  .max(200)
  .refine(
    (text) => text === NO_NAMESPACE || isRepository(text),
    rule('REPOSITORY_INVALID', 'A lower-case path, or a slash alone, is expected.'),
  );

const ACCESS = {
  host: HostText,
  username: clearable(Username),
  password: clearable(Password),
  use_tls: z.boolean().default(true),
  tls_verify: z.boolean().default(true),
  /** PEM; trusted in addition to the well-known authorities. */
  ca_cert: clearable(CaCert),
  token_hosts: TokenHosts.nullish(),
};

export const NewRegistry = z
  .strictObject({
    name: Name,
    ...ACCESS,
    /** Available to all accounts; only administrators may save one. */
    owner: z.literal('global').nullish(),
    /** Only administrators set one. */
    policy_id: Uuid.nullish(),
    push_namespace: clearable(PushNamespace),
  })
  .superRefine(requireUsername);
export type NewRegistry = z.infer<typeof NewRegistry>;

/** An absent field is kept; null removes it. */
export const RegistryChange = z.strictObject({
  name: Name.optional(),
  host: HostText.optional(),
  username: clearable(Username),
  password: clearable(Password),
  use_tls: z.boolean().optional(),
  tls_verify: z.boolean().optional(),
  ca_cert: clearable(CaCert),
  /** A host that is added requires the password again, where one is stored. */
  token_hosts: TokenHosts.nullish(),
  push_namespace: clearable(PushNamespace),
  /**
   * Only administrators change it. Where one is set, only administrators change the host, too.
   */
  policy_id: Uuid.nullish(),
});
export type RegistryChange = z.infer<typeof RegistryChange>;

export const RegistryProbe = z.strictObject(ACCESS).superRefine(requireUsername);
export type RegistryProbe = z.infer<typeof RegistryProbe>;

function requireUsername(
  body: { username?: string | null | undefined; password?: string | null | undefined },
  context: z.RefinementCtx,
): void {
  if (body.password == null || body.username != null) return;
  context.addIssue(
    violation('USERNAME_REQUIRED', 'A password needs a username.', { path: ['username'] }),
  );
}

const RegistryParams = z.strictObject({ id: RegistryId });
const UNKNOWN = { status: 404, codes: ['REGISTRY_UNKNOWN'] };
const SYSTEM = { status: 403, codes: ['REGISTRY_SYSTEM'] };
/** An address and a login that the account uses later must not outlive the token. */
const OF_A_TOKEN = { status: 403, codes: ['SESSION_REQUIRED'] };
const ADMIN_ONLY = { status: 403, codes: ['ADMIN_ONLY'] };
const FIELDS = {
  status: 422,
  codes: ['CA_CERT_INVALID', 'PASSWORD_REQUIRED', 'POLICY_UNKNOWN', 'USERNAME_REQUIRED'],
};

export const REGISTRY_DOWN = {
  status: 503,
  codes: ['REGISTRY_UNAVAILABLE', 'REGISTRY_TIMEOUT', 'REGISTRY_RATE_LIMITED'],
};
/** The caller may not reach that address through our network. */
export const EGRESS_CLOSED = {
  status: 403,
  codes: ['EGRESS_PRIVATE', 'EGRESS_DENIED', 'EGRESS_REFUSED', 'EGRESS_OWN_SERVICE'],
};

/** For accounts that may neither pull from nor push to another registry. */
const NOT_ASKED = { status: 403, codes: ['PULL_EXTERNAL_FORBIDDEN'] };

export const registries = {
  listRegistries: {
    method: 'get',
    path: '/registries',
    summary:
      'Saved registries that the caller may use, by name: global ones and their own; for an administrator, all',
    access: 'user',
    token: TOKENS_OF_REGISTRIES,
    /** Lists the built-in registry first, for clients that only read. */
    query: z.strictObject({
      include_system: z
        .stringbool()
        .meta({ enum: ['true', '1', 'yes', 'on', 'y', 'false', '0', 'no', 'off', 'n'] })
        .default(false),
    }),
    success: { status: 200, body: z.array(Registry) },
  },
  createRegistry: {
    method: 'post',
    path: '/registries',
    summary: 'Save a registry; it need not be reachable',
    access: 'user',
    audit: 'registry.create',
    body: NewRegistry,
    success: { status: 201, body: Registry },
    faults: [ADMIN_ONLY, OF_A_TOKEN, { status: 409, codes: ['REGISTRIES_MANY'] }, FIELDS],
  },
  getRegistry: {
    method: 'get',
    path: '/registries/{id}',
    summary: 'One saved registry',
    access: 'user',
    token: TOKENS_OF_REGISTRIES,
    params: RegistryParams,
    success: { status: 200, body: Registry },
    faults: [UNKNOWN],
  },
  updateRegistry: {
    method: 'patch',
    path: '/registries/{id}',
    summary: 'Change a saved registry; a change of the host requires the password again',
    access: 'user',
    audit: 'registry.update',
    params: RegistryParams,
    body: RegistryChange,
    success: { status: 200, body: Registry },
    faults: [UNKNOWN, SYSTEM, ADMIN_ONLY, OF_A_TOKEN, FIELDS],
  },
  removeRegistry: {
    method: 'delete',
    path: '/registries/{id}',
    summary: 'Delete a saved registry and its credentials',
    access: 'user',
    audit: 'registry.delete',
    params: RegistryParams,
    success: { status: 204 },
    faults: [UNKNOWN, SYSTEM, { status: 409, codes: ['REGISTRY_IN_USE'] }],
  },
  probeRegistry: {
    method: 'post',
    path: '/registries/test',
    summary: 'Test a registry without saving it',
    access: 'user',
    audit: 'registry.test',
    body: RegistryProbe,
    success: { status: 200, body: RegistryCheck },
    faults: [NOT_ASKED, { status: 422, codes: ['CA_CERT_INVALID'] }],
  },
  checkRegistry: {
    method: 'post',
    path: '/registries/{id}/test',
    summary: 'Test a saved registry, and store the result',
    access: 'user',
    audit: 'registry.test',
    params: RegistryParams,
    success: { status: 200, body: RegistryCheck },
    faults: [UNKNOWN, NOT_ASKED],
  },
} as const satisfies Contract;
