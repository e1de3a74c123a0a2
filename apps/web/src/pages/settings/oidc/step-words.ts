/** Says in the page's language what a step of the connection test found. */
import type { OidcTestStep } from '@portcullis/contract';
import type { Messages } from '../../../i18n/messages.ts';

/** Undefined for the code of a newer server. */
export function stepWords(
  { code, params }: Pick<OidcTestStep, 'code' | 'params'>,
  t: Messages['oidcTest'],
): string | undefined {
  const outcomes = t.outcomes;
  const text = (name: string) => String(params[name] ?? '');
  switch (code) {
    case 'SETTINGS_COMPLETE':
      return outcomes[code](text('issuer'), text('client_id'));
    case 'ISSUER_MATCHES':
    case 'ISSUER_DIFFERS':
      return outcomes[code](text('issuer'));
    case 'ENDPOINTS_MISSING':
    case 'ENDPOINTS_WITHOUT_TLS':
    case 'ENDPOINTS_WITHOUT_TLS_ALLOWED':
      return outcomes[code](text('endpoints'));
    case 'KEYS_FOUND':
      return outcomes[code](Number(params.count));
    case 'PKCE_UNSUPPORTED':
      return outcomes[code](text('methods'));
    case 'REDIRECT_URI':
    case 'LOGOUT_URI':
      return outcomes[code](text('uri'));
    case 'GROUPS_CLAIM_LISTED':
    case 'GROUPS_CLAIM_UNLISTED':
    case 'GROUPS_CLAIM_UNKNOWN':
      return outcomes[code](text('claim'));
    case 'GROUPS_SCOPE_UNREQUESTED':
      return outcomes[code](text('claim'), text('scope'));
    case 'GROUPS_MISSING':
      return outcomes[code](text('groups'));
    default:
      return Object.hasOwn(outcomes, code) ? outcomes[code] : undefined;
  }
}
