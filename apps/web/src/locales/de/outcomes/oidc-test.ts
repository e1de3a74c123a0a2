import { counter } from '../../../i18n/count.ts';
import type { oidcTest as oidcTestEn } from '../../en/outcomes/oidc-test.ts';

const count = counter('de');

export const oidcTest: typeof oidcTestEn = {
  steps: {
    settings: 'Einstellungen',
    discovery: 'Erkennung des Anbieters',
    issuer: 'Aussteller',
    endpoints: 'Endpunkte',
    keys: 'Signaturschlüssel',
    pkce: 'PKCE',
    client: 'Client-ID und Secret',
    redirect_uri: 'Redirect-URI',
    logout: 'Abmeldung',
    groups_claim: 'Gruppen eines Kontos',
    groups: 'Gruppenzuordnung',
  },
  outcomes: {
    ISSUER_MISSING: 'Geben Sie die URL des Ausstellers ein.',
    CLIENT_ID_MISSING: 'Geben Sie die Client-ID ein.',
    ISSUER_NOT_HTTPS:
      'Die URL des Ausstellers muss mit https beginnen, es sei denn, ein Aussteller ohne TLS ist zugelassen.',
    SETTINGS_COMPLETE: (issuer, client) => `Aussteller ${issuer}, Client-ID ${client}.`,
    PROVIDER_DISCOVERED: 'Der Anbieter hat seine Konfiguration veröffentlicht.',
    DISCOVERY_FAILED: 'Die Konfiguration des Anbieters konnte nicht gelesen werden.',
    ISSUER_MATCHES: (issuer) => `Der Anbieter nennt sich ${issuer}.`,
    ISSUER_DIFFERS: (issuer) =>
      `Der Anbieter nennt sich anders als ${issuer}. Auch ein Schrägstrich am Ende zählt.`,
    ENDPOINTS_MISSING: (names) => `Der Anbieter veröffentlicht Folgendes nicht: ${names}`,
    ENDPOINTS_WITHOUT_TLS: (names) => `Ohne TLS: ${names}`,
    ENDPOINTS_WITHOUT_TLS_ALLOWED: (names) => `Ohne TLS, was die Einstellungen zulassen: ${names}`,
    ENDPOINTS_HTTPS: 'Alle Endpunkte verwenden https.',
    KEYS_FOUND: (n) => `${count(n, 'Signaturschlüssel')} gefunden.`,
    KEYS_MISSING: 'Der Anbieter veröffentlicht keine Signaturschlüssel.',
    KEYS_UNREADABLE: 'Die Signaturschlüssel des Anbieters konnten nicht gelesen werden.',
    PKCE_SUPPORTED: 'Der Anbieter unterstützt S256.',
    PKCE_UNKNOWN: 'Der Anbieter gibt nicht an, ob er PKCE unterstützt. Es wird trotzdem verwendet.',
    PKCE_UNSUPPORTED: (methods) => `Der Anbieter unterstützt S256 nicht, sondern nur: ${methods}`,
    CLIENT_ACCEPTED: 'Der Anbieter hat die Client-ID und das Secret akzeptiert.',
    CLIENT_REFUSED: 'Der Anbieter hat die Client-ID oder das Secret abgelehnt.',
    CLIENT_UNKNOWN: 'Es konnte nicht geprüft werden, ob der Anbieter den Client akzeptiert.',
    REDIRECT_URI: (uri) => `Registrieren Sie diese Redirect-URI beim Anbieter: ${uri}`,
    LOGOUT_URI: (uri) =>
      `Registrieren Sie diese URI beim Anbieter als Ziel nach der Abmeldung: ${uri}`,
    LOGOUT_UNSUPPORTED:
      'Der Anbieter unterstützt keine Abmeldung. Benutzer werden nur von Portcullis abgemeldet.',
    GROUPS_UNUSED: 'Keine Einstellung braucht die Gruppen.',
    GROUPS_CLAIM_LISTED: (claim) =>
      `Der Anbieter nennt den Claim ${claim}. Ob er ihn für ein Konto sendet, zeigt eine Anmeldung.`,
    GROUPS_CLAIM_UNLISTED: (claim) =>
      `Der Anbieter nennt den Claim ${claim} nicht, kann ihn aber trotzdem senden. Das zeigt erst eine Anmeldung.`,
    GROUPS_CLAIM_UNKNOWN: (claim) =>
      `Der Anbieter gibt nicht an, welche Claims er sendet. Ob ${claim} dazugehört, zeigt erst eine Anmeldung.`,
    GROUPS_SCOPE_UNREQUESTED: (claim, scope) =>
      `Der Anbieter bietet den Scope ${scope} an, der nicht angefordert wird. Fügen Sie ihn hinzu, wenn ${claim} bei einer Anmeldung fehlt.`,
    GROUPS_MISSING: (names) => `Diese Gruppen gibt es in Portcullis nicht: ${names}`,
    GROUPS_UNMAPPED: 'Es sind keine Gruppen zugeordnet.',
    GROUPS_FOUND: 'Alle zugeordneten Gruppen sind vorhanden.',
  },
  faults: {
    REGISTRY_UNREACHABLE: 'Der Anbieter ist nicht erreichbar.',
    REGISTRY_TLS_FAILED: 'Das Zertifikat des Anbieters ist nicht vertrauenswürdig.',
    REGISTRY_SILENT: 'Der Anbieter antwortet nicht mehr.',
    REGISTRY_TOO_SLOW: 'Der Anbieter ist zu langsam.',
    REGISTRY_TIMEOUT: 'Der Anbieter hat nicht rechtzeitig geantwortet.',
    REGISTRY_ANSWER_INVALID: 'Die Antwort des Anbieters ist kein gültiges HTTP.',
    REGISTRY_ANSWER_TOO_LARGE: 'Die Antwort des Anbieters ist größer als erlaubt.',
    REDIRECT_REFUSED: 'Der Anbieter hat an eine nicht erlaubte Adresse weitergeleitet.',
  },
};
