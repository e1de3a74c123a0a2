/**
 * Field faults: a code with parameters for each invalid field of a request, so that clients can
 * choose the words.
 */
import { z } from 'zod';

/** Facts about the fault, such as a limit or the allowed values. Never a secret. */
const Params = z.record(z.string(), z.union([z.string(), z.number()]));
export type FaultParams = z.infer<typeof Params>;

/** `message` is `code` and `params` in English. */
export const FieldFault = z.strictObject({
  path: z.string().meta({
    description: 'The path of the field, such as `images.0.tag`; empty for the whole body.',
  }),
  code: z
    .string()
    .meta({ description: 'A stable code; for a denied field, the code of the denial.' }),
  params: Params,
  message: z.string(),
});
export type FieldFault = z.infer<typeof FieldFault>;

/** Every code of a field fault, with the names of its parameters. */
export const FIELD_FAULTS = {
  // Any field.
  INVALID: [],
  INVALID_FORMAT: ['format'],
  NOT_A_CHOICE: ['choices'],
  NOT_TEXT: [],
  REQUIRED: [],
  TOO_DEEP: [],
  TOO_FEW: ['minimum'],
  TOO_LARGE: ['maximum'],
  TOO_LONG: ['maximum'],
  TOO_MANY: ['maximum'],
  TOO_SHORT: ['minimum'],
  TOO_SMALL: ['minimum'],
  UNKNOWN_FIELD: [],
  WRONG_TYPE: ['expected'],
  // Grammars.
  AUTHORITY_NAME_INVALID: [],
  CLAIM_PATTERN_INVALID: [],
  DIGEST_INVALID: [],
  EMAIL_INVALID: [],
  FOLDER_NAME_INVALID: [],
  FOLDER_NAME_RESERVED: ['names'],
  HOST_INVALID: [],
  IDEMPOTENCY_KEY_INVALID: [],
  IMAGE_INVALID: [],
  ISSUER_INVALID: [],
  LOCAL_PATH_INVALID: [],
  MAIL_ADDRESS_INVALID: [],
  NAME_INVALID: [],
  NOT_ONE_LINE: [],
  PATH_NOT_ABSOLUTE: [],
  PATTERN_INVALID: ['grammar', 'at'],
  PATTERN_TOO_COSTLY: ['grammar', 'at'],
  PLATFORM_INVALID: [],
  PROXY_URL_INVALID: [],
  REFERENCE_INVALID: [],
  REPOSITORY_INVALID: [],
  REPOSITORY_PATTERN_INVALID: [],
  SCOPE_INVALID: [],
  TAG_INVALID: [],
  TIMEZONE_INVALID: [],
  URL_INVALID: [],
  USERNAME_INVALID: [],
  VULNERABILITY_INVALID: [],
  // Schedules.
  CRON_FIELDS: [],
  CRON_INVALID: ['reason'],
  CRON_TOO_OFTEN: ['seconds'],
  // Keys, certificates and patterns of authorities.
  IDENTITY_INVALID: ['identity'],
  KEYS_TOO_MANY: ['most'],
  KEY_INVALID: [],
  KEY_IS_CERTIFICATE: [],
  KEY_IS_PRIVATE: [],
  KEY_TOO_SHORT: ['bits', 'least'],
  KEY_TYPE_REFUSED: ['type'],
  PATTERN_TOO_WIDE: [],
  ROOT_EMPTY: [],
  ROOT_INVALID: [],
  STORE_CERTIFICATE_UNFIT: ['subject'],
  STORE_INVALID: [],
  STORE_MISSING: [],
  // Fields that depend on each other or on what exists.
  ACCOUNT_AMBIGUOUS: [],
  AUTHORITIES_EXCLUSIVE: [],
  AUTHORITY_UNKNOWN: ['authority'],
  CA_CERT_INVALID: [],
  CREDENTIALS_INCOMPLETE: [],
  DESTINATION_IS_SOURCE: [],
  DESTINATION_TWICE: ['index'],
  FOLDER_UNKNOWN: ['folder'],
  IMAGE_HAS_HOST: [],
  ISSUER_NOT_HTTPS: [],
  JUSTIFICATION_REQUIRED: [],
  JUSTIFICATION_UNEXPECTED: [],
  TOKEN_DELETE_ALONE: [],
  TOKEN_SCOPE_EMPTY: [],
  TRUST_TOO_WIDE: [],
  MIRROR_OF_ITSELF: [],
  PACKAGE_REQUIRED: [],
  PASSWORD_REQUIRED: [],
  PASSWORD_UNCHANGED: [],
  PLATFORM_UNKNOWN: ['platforms'],
  POLICY_NAME_RESERVED: [],
  POLICY_UNKNOWN: [],
  REGISTRY_UNKNOWN: [],
  REPOSITORY_REQUIRED: [],
  REVIEW_EXCEPT_INVALID: ['vulnerability'],
  RETENTION_UNBOUNDED: [],
  SEARCH_TERM_REQUIRED: [],
  SECRET_UNKNOWN: [],
  SEVERITIES_REPEATED: [],
  TAGS_EXCLUSIVE: [],
  TAGS_MANY: [],
  TAG_REQUIRED: [],
  URL_DENIED: [],
  URL_PRIVATE: [],
  USERNAME_REQUIRED: [],
  VULNERABILITY_NOT_BLOCKING: ['vulnerability'],
  WAIVER_END_INVALID: ['days'],
} as const satisfies Record<string, readonly string[]>;
export type FieldFaultCode = keyof typeof FIELD_FAULTS;

/** The options of a zod check, so that its issue carries the code of the fault. */
export function rule(code: FieldFaultCode, error: string, path?: string[]) {
  return { error, params: { code }, ...(path && { path }) };
}

/** The same for `addIssue`. */
export function violation(
  code: FieldFaultCode,
  message: string,
  { path, params }: { path?: string[]; params?: FaultParams } = {},
) {
  return { code: 'custom' as const, message, params: { ...params, code }, ...(path && { path }) };
}

/**
 * @param issue of a parse with `reportInput`, which distinguishes an absent field from a wrong type
 */
export function fieldFaultsOf(issue: z.core.$ZodIssue): FieldFault[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) =>
      fieldFault([...path, key].join('.'), 'UNKNOWN_FIELD', 'There is no such field.'),
    );
  const meant = issue.code === 'invalid_union' ? alternativeMeant(issue.errors) : null;
  if (meant) return meant.flatMap((inner) => fieldFaultsOf(below(issue.path, inner)));
  return [{ path: path.join('.'), ...codeOf(issue), message: issue.message }];
}

/** The alternative whose kind of value was given, so that only something inside it is wrong. */
function alternativeMeant(alternatives: z.core.$ZodIssue[][]): z.core.$ZodIssue[] | null {
  const [meant, ...others] = alternatives.filter((issues) =>
    issues.every(({ path }) => path.length > 0),
  );
  return meant && others.length === 0 ? meant : null;
}

function below(path: PropertyKey[], issue: z.core.$ZodIssue): z.core.$ZodIssue {
  return { ...issue, path: [...path, ...issue.path] };
}

/** @param params as `FIELD_FAULTS` names them */
export function fieldFault(
  path: string,
  code: FieldFaultCode,
  message: string,
  params: FaultParams = {},
): FieldFault {
  return { path, code, params, message };
}

interface Coded {
  code: FieldFaultCode;
  params: FaultParams;
}

function codeOf(issue: z.core.$ZodIssue): Coded {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.input === null
        ? { code: 'REQUIRED', params: {} }
        : { code: 'WRONG_TYPE', params: { expected: issue.expected } };
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum));
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum));
    case 'invalid_format':
      return issue.format === 'email'
        ? { code: 'EMAIL_INVALID', params: {} }
        : { code: 'INVALID_FORMAT', params: { format: issue.format } };
    case 'invalid_value':
      return { code: 'NOT_A_CHOICE', params: { choices: issue.values.map(String).join(', ') } };
    case 'custom':
      return custom(issue.params);
    default:
      return { code: 'INVALID', params: {} };
  }
}

function tooSmall(origin: string, minimum: number): Coded {
  if (origin === 'string' && minimum === 1) return { code: 'REQUIRED', params: {} };
  if (origin === 'string') return { code: 'TOO_SHORT', params: { minimum } };
  return { code: origin === 'array' ? 'TOO_FEW' : 'TOO_SMALL', params: { minimum } };
}

function tooBig(origin: string, maximum: number): Coded {
  if (origin === 'string') return { code: 'TOO_LONG', params: { maximum } };
  return { code: origin === 'array' ? 'TOO_MANY' : 'TOO_LARGE', params: { maximum } };
}

function custom(given: Record<string, unknown> | undefined): Coded {
  const { code, ...params } = given ?? {};
  return isFieldFaultCode(code)
    ? { code, params: Params.parse(params) }
    : { code: 'INVALID', params: {} };
}

function isFieldFaultCode(code: unknown): code is FieldFaultCode {
  return typeof code === 'string' && Object.hasOwn(FIELD_FAULTS, code);
}
