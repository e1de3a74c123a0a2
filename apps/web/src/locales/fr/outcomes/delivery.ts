import type { delivery as deliveryEn } from '../../en/outcomes/delivery.ts';

export const delivery: typeof deliveryEn = {
  faults: {
    CONNECTION_REFUSED: 'Le serveur a refusé la connexion. Vérifiez l’hôte et le port.',
    CONNECTION_RESET: 'Le serveur a réinitialisé la connexion.',
    HOST_UNKNOWN: 'Le nom d’hôte n’existe pas.',
    HOST_LOOKUP_FAILED: 'Le nom d’hôte n’a pas pu être résolu pour le moment.',
    HOST_UNREACHABLE: 'L’hôte est injoignable.',
    NETWORK_UNREACHABLE: 'Le réseau de l’hôte est injoignable.',
    CONNECTION_TIMEOUT: 'Le serveur n’a pas répondu à temps.',
    CERTIFICATE_EXPIRED: 'Le certificat du serveur a expiré.',
    CERTIFICATE_NAME_DIFFERS: 'Le certificat du serveur correspond à un autre nom d’hôte.',
    CERTIFICATE_UNTRUSTED: 'Le certificat du serveur ne provient pas d’une autorité approuvée.',
    TLS_FAILED: 'Le serveur n’utilise pas TLS, ou aucune version de TLS prise en charge ici.',
    STARTTLS_UNSUPPORTED: 'Le serveur ne propose pas STARTTLS, que les paramètres exigent.',
    COLLECTOR_SILENT: 'Le collecteur n’a pas accepté les messages à temps.',
    COLLECTOR_CLOSED: 'Le collecteur a fermé la connexion avant d’avoir tout reçu.',
    CONNECTION_CLOSED: 'La connexion a été fermée avant que tout ne soit envoyé.',
    DELIVERY_ABORTED: 'L’envoi a été annulé.',
    DELIVERY_FAILED: 'L’envoi a échoué.',
    MAIL_REFUSED: 'Le serveur de messagerie a refusé le message.',
  },
  fileUnreadable: (setting) =>
    `Le fichier indiqué sous « ${setting} » est illisible ou n’est pas au format PEM.`,
  answer: 'Réponse du serveur de messagerie :',
};
