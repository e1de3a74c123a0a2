import { counter } from '../../../i18n/count.ts';
import type { oidcTest as oidcTestEn } from '../../en/outcomes/oidc-test.ts';

const count = counter('fr');

export const oidcTest: typeof oidcTestEn = {
  steps: {
    settings: 'Paramètres',
    discovery: 'Découverte du fournisseur',
    issuer: 'Émetteur',
    endpoints: 'Points de terminaison',
    keys: 'Clés de signature',
    pkce: 'PKCE',
    client: 'ID client et secret',
    redirect_uri: 'URI de redirection',
    logout: 'Déconnexion',
    groups_claim: 'Groupes d’un compte',
    groups: 'Correspondance des groupes',
  },
  outcomes: {
    ISSUER_MISSING: 'Saisissez l’URL de l’émetteur.',
    CLIENT_ID_MISSING: 'Saisissez l’ID client.',
    ISSUER_NOT_HTTPS:
      'L’URL de l’émetteur doit commencer par https, sauf si un émetteur sans TLS est autorisé.',
    SETTINGS_COMPLETE: (issuer, client) => `Émetteur ${issuer}, ID client ${client}.`,
    PROVIDER_DISCOVERED: 'Le fournisseur publie sa configuration.',
    DISCOVERY_FAILED: 'La configuration du fournisseur n’a pas pu être lue.',
    ISSUER_MATCHES: (issuer) => `Le fournisseur s’identifie comme ${issuer}.`,
    ISSUER_DIFFERS: (issuer) =>
      `Le fournisseur ne s’identifie pas comme ${issuer}. Une barre oblique finale compte aussi.`,
    ENDPOINTS_MISSING: (names) => `Le fournisseur ne publie pas : ${names}`,
    ENDPOINTS_WITHOUT_TLS: (names) => `Sans TLS : ${names}`,
    ENDPOINTS_WITHOUT_TLS_ALLOWED: (names) =>
      `Sans TLS, ce que les paramètres autorisent : ${names}`,
    ENDPOINTS_HTTPS: 'Tous les points de terminaison utilisent https.',
    KEYS_FOUND: (n) => `${count(n, 'clé de signature trouvée', 'clés de signature trouvées')}.`,
    KEYS_MISSING: 'Le fournisseur ne publie aucune clé de signature.',
    KEYS_UNREADABLE: 'Les clés de signature du fournisseur n’ont pas pu être lues.',
    PKCE_SUPPORTED: 'Le fournisseur prend en charge S256.',
    PKCE_UNKNOWN:
      'Le fournisseur n’indique pas s’il prend en charge PKCE. Il est utilisé malgré tout.',
    PKCE_UNSUPPORTED: (methods) =>
      `Le fournisseur ne prend pas en charge S256, mais seulement : ${methods}`,
    CLIENT_ACCEPTED: 'Le fournisseur a accepté l’ID client et le secret.',
    CLIENT_REFUSED: 'Le fournisseur a refusé l’ID client ou le secret.',
    CLIENT_UNKNOWN: 'Impossible de vérifier si le fournisseur accepte le client.',
    REDIRECT_URI: (uri) => `Enregistrez cette URI de redirection auprès du fournisseur : ${uri}`,
    LOGOUT_URI: (uri) =>
      `Enregistrez cette URI auprès du fournisseur comme destination après la déconnexion : ${uri}`,
    LOGOUT_UNSUPPORTED:
      'Le fournisseur ne prend pas en charge la déconnexion. Les utilisateurs sont déconnectés de Portcullis uniquement.',
    GROUPS_UNUSED: 'Aucun paramètre n’a besoin des groupes.',
    GROUPS_CLAIM_LISTED: (claim) =>
      `Le fournisseur annonce le claim ${claim}. Une connexion montrera s’il l’envoie pour un compte.`,
    GROUPS_CLAIM_UNLISTED: (claim) =>
      `Le fournisseur n’annonce pas le claim ${claim}, mais peut l’envoyer. Seule une connexion le montrera.`,
    GROUPS_CLAIM_UNKNOWN: (claim) =>
      `Le fournisseur n’indique pas quels claims il envoie. Seule une connexion montrera si ${claim} en fait partie.`,
    GROUPS_SCOPE_UNREQUESTED: (claim, scope) =>
      `Le fournisseur propose la portée ${scope}, qui n’est pas demandée. Ajoutez-la si ${claim} manque lors d’une connexion.`,
    GROUPS_MISSING: (names) => `Ces groupes n’existent pas dans Portcullis : ${names}`,
    GROUPS_UNMAPPED: 'Aucune correspondance de groupes n’est définie.',
    GROUPS_FOUND: 'Tous les groupes de la correspondance existent.',
  },
  faults: {
    REGISTRY_UNREACHABLE: 'Le fournisseur est injoignable.',
    REGISTRY_TLS_FAILED: 'Le certificat du fournisseur n’est pas approuvé.',
    REGISTRY_SILENT: 'Le fournisseur ne répond plus.',
    REGISTRY_TOO_SLOW: 'Le fournisseur est trop lent.',
    REGISTRY_TIMEOUT: 'Le fournisseur n’a pas répondu à temps.',
    REGISTRY_ANSWER_INVALID: 'La réponse du fournisseur n’est pas une réponse HTTP valide.',
    REGISTRY_ANSWER_TOO_LARGE: 'La réponse du fournisseur dépasse la taille autorisée.',
    REDIRECT_REFUSED: 'Le fournisseur a redirigé vers une adresse non autorisée.',
  },
};
