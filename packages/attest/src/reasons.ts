/** Why a signature does not count for an authority. The domain has the list of codes. */
import type { SignatureReason } from '@portcullis/domain';

export interface Reason {
  readonly code: SignatureReason;
  readonly params: Readonly<Record<string, string | number>>;
}

/** Thrown within the package alone: parsers end with it, and verdicts have its reason. */
export class Refusal extends Error {
  readonly reason: Reason;

  constructor(code: SignatureReason, params: Reason['params'] = {}, options?: ErrorOptions) {
    super(code, options);
    this.reason = { code, params };
  }
}

/** Long texts of strangers are cut, because reasons are stored. */
export function quote(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** What a stranger wrote may make any library throw anything: it is `otherwise` then. */
export function reasonOf(error: unknown, otherwise: SignatureReason): Reason {
  return error instanceof Refusal ? error.reason : { code: otherwise, params: {} };
}
