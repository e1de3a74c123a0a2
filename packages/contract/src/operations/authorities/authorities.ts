/** Authorities: whose signatures are trusted. Policies name them. */
import { z } from 'zod';
import { Time } from '../../common.ts';
import { FieldFault, rule } from '../../field-faults.ts';
import type { Contract } from '../../operation.ts';
import { NONBLANK_LINE } from '../../patterns.ts';

const NAME = '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$';

export const AuthorityName = z
  .string()
  .min(1)
  .max(64)
  .refine(
    (name) => new RegExp(NAME).test(name),
    rule(
      'AUTHORITY_NAME_INVALID',
      'Lower-case letters, digits and hyphens within the name are expected.',
    ),
  )
  .meta({ pattern: NAME });

const Pem = z
  .string()
  .min(1)
  .max(65_536)
  .meta({ examples: ['-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n'] });
const Identity = z.string().min(1).max(1024).meta({ pattern: NONBLANK_LINE });

/** The extensions of Fulcio's certificates that an authority may ask for. */
export const AUTHORITY_CLAIMS = [
  'build_signer',
  'runner_environment',
  'source_repository',
  'source_ref',
  'build_config',
  'build_trigger',
] as const;

/** Bound on a `trusted_root.json`; the one of the public instance has 6 KiB. */
const MOST_ROOT_CHARACTERS = 262_144;

const KEY = {
  kind: z.literal('key'),
  keys: Pem.describe('Public keys in PEM, each in a block of its own, at most 20.'),
};

const KEYLESS = {
  kind: z.literal('keyless'),
  issuer: Identity.describe('Who issues the identity tokens, letter by letter.').meta({
    examples: ['https://token.actions.githubusercontent.com'],
  }),
  subject: Identity.describe(
    'Who signed: letter by letter, or with `*` for any text without a slash and `**` for any text.',
  ).meta({ examples: ['https://github.com/acme/app/.github/workflows/release.yml@refs/tags/*'] }),
  claims: z
    .partialRecord(z.enum(AUTHORITY_CLAIMS), Identity)
    .optional()
    .describe('What else the certificate has to say, each like `subject`.'),
  root: z
    .string()
    .min(1)
    .max(MOST_ROOT_CHARACTERS)
    .describe('`sigstore` for the public instance, or the text of a `trusted_root.json`.'),
};

const CERTIFICATE = {
  kind: z.literal('certificate'),
  store: Pem.optional().describe('Certificates in PEM that issue those of signers.'),
  signing_authority_store: Pem.optional().describe(
    'Those of signing authorities, which vouch for the time as well.',
  ),
  timestamp_store: Pem.optional().describe(
    'Those of timestamp authorities, for signatures that outlive their certificate.',
  ),
  identities: z
    .array(Identity)
    .min(1)
    .max(50)
    .describe('Who may sign: `x509.subject: C=…, ST=…, O=…`, or `*` alone.'),
};

const Key = z.strictObject(KEY);
const Keyless = z.strictObject(KEYLESS);
const Certificate = z.strictObject(CERTIFICATE);

export const AUTHORITY_KINDS = ['key', 'keyless', 'certificate'] as const;
export const AuthorityTerms = z.discriminatedUnion('kind', [Key, Keyless, Certificate]);
export type AuthorityTerms = z.infer<typeof AuthorityTerms>;

/** `root` is the public instance where it is absent. */
const SENT_KEYLESS = { ...KEYLESS, root: KEYLESS.root.default('sigstore') };

export const AuthorityDraft = z.discriminatedUnion('kind', [
  Key,
  z.strictObject(SENT_KEYLESS),
  Certificate,
]);

const named = { name: AuthorityName };
export const NewAuthority = z.discriminatedUnion('kind', [
  z.strictObject({ ...named, ...KEY }),
  z.strictObject({ ...named, ...SENT_KEYLESS }),
  z.strictObject({ ...named, ...CERTIFICATE }),
]);
export type NewAuthority = z.infer<typeof NewAuthority>;

const read = {
  version: z
    .number()
    .int()
    .min(1)
    .describe('The version that was read. 409 where it is not the current one.'),
};
export const AuthorityChange = z.discriminatedUnion('kind', [
  z.strictObject({ ...read, ...KEY }),
  z.strictObject({ ...read, ...SENT_KEYLESS }),
  z.strictObject({ ...read, ...CERTIFICATE }),
]);
export type AuthorityChange = z.infer<typeof AuthorityChange>;

const SHOWN = {
  name: z.string(),
  version: z.number().int(),
  kind: z.enum(AUTHORITY_KINDS),
  /** The ids of keys, the subject, or the identities. */
  signers: z.array(z.string()),
  /** Of kind `keyless`. */
  issuer: z.string().nullable(),
  /** Whether it relies on the shipped root of the public Sigstore. */
  shipped_root: z.boolean(),
  /** The policies that name it, for administrators. */
  used_by: z.array(z.string()),
  created_at: Time,
  updated_at: Time,
};
export const AuthorityView = z.strictObject(SHOWN);
export type AuthorityView = z.infer<typeof AuthorityView>;

const AuthorityVersionView = z.strictObject({
  version: z.number().int(),
  terms: AuthorityTerms,
  saved_by: z.string(),
  saved_at: Time,
});

/** Versions newest first, at most 200. */
export const AuthorityDetail = z.strictObject({
  ...SHOWN,
  terms: AuthorityTerms,
  versions: z.array(AuthorityVersionView),
});
export type AuthorityDetail = z.infer<typeof AuthorityDetail>;

export const AuthorityList = z.strictObject({
  /** By name. */
  items: z.array(AuthorityView),
  /** The shipped root of the public Sigstore: what it signs later may not count. */
  sigstore_root: z.strictObject({ date: z.iso.date(), is_old: z.boolean() }),
});
export type AuthorityList = z.infer<typeof AuthorityList>;

const Params = z.strictObject({ name: z.string().min(1).max(64) });
const UNKNOWN = { status: 404, codes: ['AUTHORITY_UNKNOWN'] };

export const authorities = {
  listAuthorities: {
    method: 'get',
    path: '/authorities',
    summary: 'Whose signatures policies may ask for, by name, and the date of the shipped root',
    access: 'user',
    token: ['pull'],
    success: { status: 200, body: AuthorityList },
  },
  createAuthority: {
    method: 'post',
    path: '/authorities',
    summary: 'Create an authority; its signatures count where a policy names it',
    access: 'admin',
    audit: 'authority.create',
    body: NewAuthority,
    success: { status: 201, body: AuthorityView },
    faults: [{ status: 409, codes: ['AUTHORITY_NAME_TAKEN', 'AUTHORITIES_MANY'] }],
  },
  checkAuthority: {
    method: 'post',
    path: '/authorities/check',
    summary:
      'What is wrong with the keys, patterns and certificates of an authority; none is saved',
    access: 'admin',
    audit: 'authority.check',
    body: AuthorityDraft,
    success: { status: 200, body: z.strictObject({ errors: z.array(FieldFault) }) },
  },
  getAuthority: {
    method: 'get',
    path: '/authorities/{name}',
    summary: 'One authority with its versions',
    access: 'user',
    token: ['pull'],
    params: Params,
    success: { status: 200, body: AuthorityDetail },
    faults: [UNKNOWN],
  },
  replaceAuthority: {
    method: 'put',
    path: '/authorities/{name}',
    summary: 'Replace an authority; it is the next version, and signatures are verified again',
    access: 'admin',
    audit: 'authority.update',
    params: Params,
    body: AuthorityChange,
    success: { status: 200, body: AuthorityView },
    faults: [UNKNOWN, { status: 409, codes: ['AUTHORITY_CHANGED'] }],
  },
  removeAuthority: {
    method: 'delete',
    path: '/authorities/{name}',
    summary: 'Delete an authority that no policy names',
    access: 'admin',
    audit: 'authority.delete',
    params: Params,
    success: { status: 204 },
    faults: [UNKNOWN, { status: 409, codes: ['AUTHORITY_IN_USE'] }],
  },
} as const satisfies Contract;
