import type { delivery as deliveryEn } from '../../en/outcomes/delivery.ts';

export const delivery: typeof deliveryEn = {
  faults: {
    CONNECTION_REFUSED:
      'Der Server hat die Verbindung abgelehnt. Prüfen Sie den Host und den Port.',
    CONNECTION_RESET: 'Der Server hat die Verbindung zurückgesetzt.',
    HOST_UNKNOWN: 'Der Hostname existiert nicht.',
    HOST_LOOKUP_FAILED: 'Der Hostname konnte derzeit nicht aufgelöst werden.',
    HOST_UNREACHABLE: 'Der Host ist nicht erreichbar.',
    NETWORK_UNREACHABLE: 'Das Netzwerk des Hosts ist nicht erreichbar.',
    CONNECTION_TIMEOUT: 'Der Server hat nicht rechtzeitig geantwortet.',
    CERTIFICATE_EXPIRED: 'Das Zertifikat des Servers ist abgelaufen.',
    CERTIFICATE_NAME_DIFFERS: 'Das Zertifikat des Servers gilt für einen anderen Hostnamen.',
    CERTIFICATE_UNTRUSTED:
      'Das Zertifikat des Servers stammt von keiner vertrauenswürdigen Zertifizierungsstelle.',
    TLS_FAILED: 'Der Server verwendet kein TLS oder keine hier unterstützte Version.',
    STARTTLS_UNSUPPORTED:
      'Der Server bietet kein STARTTLS an, das laut Einstellungen erforderlich ist.',
    COLLECTOR_SILENT: 'Der Collector hat die Nachrichten nicht rechtzeitig angenommen.',
    COLLECTOR_CLOSED:
      'Der Collector hat die Verbindung geschlossen, bevor er alles empfangen hatte.',
    CONNECTION_CLOSED: 'Die Verbindung wurde geschlossen, bevor alles gesendet war.',
    DELIVERY_ABORTED: 'Die Zustellung wurde abgebrochen.',
    DELIVERY_FAILED: 'Die Zustellung ist fehlgeschlagen.',
    MAIL_REFUSED: 'Der Mailserver hat die Nachricht abgelehnt.',
  },
  fileUnreadable: (setting) =>
    `Die Datei unter „${setting}“ kann nicht gelesen werden oder ist nicht im PEM-Format.`,
  answer: 'Antwort des Mailservers:',
};
