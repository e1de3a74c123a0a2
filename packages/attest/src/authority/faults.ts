/** Why an authority is refused: a closed list, as the reasons of signatures are. */

export const AUTHORITY_FAULTS = [
  // A field is missing, unknown, of another type or too long.
  'FIELD_INVALID',
  'KEY_INVALID',
  'KEY_IS_PRIVATE',
  'KEY_IS_CERTIFICATE',
  'KEY_TYPE_REFUSED',
  'KEY_TOO_SHORT',
  'KEYS_TOO_MANY',
  'ISSUER_INVALID',
  'PATTERN_TOO_WIDE',
  'ROOT_INVALID',
  'ROOT_EMPTY',
  'STORE_MISSING',
  'STORE_INVALID',
  'STORE_CERTIFICATE_UNFIT',
  'IDENTITY_INVALID',
] as const;

export type AuthorityFaultCode = (typeof AUTHORITY_FAULTS)[number];

export interface AuthorityFault {
  readonly code: AuthorityFaultCode;
  /** The field, as in `claims.source_ref`. */
  readonly field: string;
  readonly params: Readonly<Record<string, string | number>>;
}

/** Thrown within the package alone. */
export class AuthorityRefusal extends Error {
  readonly fault: AuthorityFault;

  constructor(
    code: AuthorityFaultCode,
    field: string,
    params: AuthorityFault['params'] = {},
    options?: ErrorOptions,
  ) {
    super(code, options);
    this.fault = { code, field, params };
  }
}
