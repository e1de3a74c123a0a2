import type { fault as faultEn } from '../en/faults.ts';

export const fault: typeof faultEn = {
  codes: {
    USERNAME_TAKEN: 'Dieser Benutzername ist bereits vergeben. Wählen Sie einen anderen.',
    GROUP_NAME_TAKEN:
      'Eine Gruppe mit diesem Namen existiert bereits. Wählen Sie einen anderen Namen.',
    FOLDER_NAME_TAKEN:
      'Ein Ordner mit diesem Namen existiert bereits. Wählen Sie einen anderen Namen.',
    LAST_ADMIN:
      'Damit wären alle Administratoren ausgesperrt. Machen Sie zuerst ein anderes Konto zum Administrator.',
    TAG_IMMUTABLE:
      'Der Ordner macht diesen Tag unveränderlich: Er kann weder auf ein anderes Image verschoben noch gelöscht werden.',
    TAG_MOVED: 'Der Tag führt inzwischen zu einem anderen Image.',
    QUOTA_EXCEEDED:
      'Der Ordner ist voll: Damit würde sein Kontingent überschritten. Löschen Sie Images daraus, oder bitten Sie einen Administrator um ein größeres Kontingent.',
    FOLDER_NOT_EMPTY: 'Der Ordner enthält noch Repositories.',
    RETENTION_UNSET: 'Der Ordner hat keine Aufbewahrungsregel.',
    FOLDER_PROTECTED: 'Dieser Ordner ist vorgegeben und kann nicht geändert werden.',
    OIDC_ONLY_NO_ADMIN:
      'Damit wären alle Administratoren ausgesperrt. Ein Administrator muss sich zuerst über den Identitätsanbieter anmelden.',
    CA_CERT_INVALID: 'Das ist kein Zertifikat im PEM-Format.',
    PASSWORD_NOT_LOCAL:
      'Das Passwort dieses Kontos wird vom Identitätsanbieter verwaltet. Ändern Sie es dort.',
    EMAIL_DISABLED: 'E-Mail ist deaktiviert. Aktivieren Sie zuerst E-Mail und speichern Sie.',
    SYSLOG_DISABLED: 'Syslog ist deaktiviert. Aktivieren Sie zuerst Syslog und speichern Sie.',
    GC_RUNNING: 'Eine Garbage Collection läuft bereits.',
    REGISTRY_COLLECTING:
      'In der Registry läuft eine Garbage Collection. Versuchen Sie es gleich noch einmal.',
    DATABASE_UPDATE_RUNNING: 'Eine Aktualisierung läuft bereits.',
    SCANNER_DISABLED: 'Der Scanner ist deaktiviert.',
    USER_UNKNOWN: 'Dieses Konto existiert nicht mehr.',
    GROUP_UNKNOWN: 'Diese Gruppe existiert nicht mehr.',
    FOLDER_UNKNOWN: 'Dieser Ordner existiert nicht mehr.',
    TOKEN_UNKNOWN: 'Dieses Token existiert nicht mehr.',
    DISK_FULL:
      'Der Datenträger des Servers ist voll. Ein Administrator muss Speicherplatz freigeben.',
    DISK_RESERVE: 'Der Datenträger ist fast voll. Jobs warten auf freien Speicherplatz.',
    REDIS_FULL: 'Redis hat keinen freien Speicher mehr. Ein Administrator muss ihn erweitern.',
    REGISTRY_UNAVAILABLE:
      'Die Registry antwortet nicht. Versuchen Sie es erneut, sobald sie wieder verfügbar ist.',
    REGISTRY_TIMEOUT: 'Die Registry hat nicht rechtzeitig geantwortet. Versuchen Sie es erneut.',
    REGISTRY_RATE_LIMITED:
      'Die Registry begrenzt die Anzahl unserer Anfragen. Versuchen Sie es später erneut oder melden Sie sich mit einem Konto an.',
    REGISTRY_LOGIN_REFUSED:
      'Die Registry hat die gespeicherten Zugangsdaten abgelehnt. Prüfen Sie sie unter Registries.',
    LOGIN_WITHHELD:
      'Die Zugangsdaten wurden nicht gesendet, weil der Token-Dienst der Registry auf einer anderen Domain liegt. Speichern Sie die Registry unter Registries mit diesem Token-Dienst, um ihn zu erlauben.',
    SOURCE_LOGIN_REFUSED: 'Die Registry verlangt ein Konto oder hat das angegebene abgelehnt.',
    EGRESS_PRIVATE:
      'Dieser Host hat eine private Adresse. Nur Administratoren und von ihnen gespeicherte Registries dürfen private Adressen verwenden.',
    EGRESS_DENIED: 'Der Betreiber blockiert Verbindungen zu dieser Adresse.',
    EGRESS_REFUSED: 'Verbindungen zu dieser Adresse sind nie erlaubt.',
    EGRESS_OWN_SERVICE: 'Diese Adresse gehört zu einem internen Dienst dieser Installation.',
    REGISTRY_SYSTEM: 'Die integrierte Registry kann nicht geändert werden.',
    REGISTRY_NOT_INDEXED: 'Diese Registry kann nur als Liste angezeigt werden, nicht als Baum.',
    CATALOG_CLOSED:
      'Diese Registry listet ihre Repositories nicht auf. Öffnen Sie eines über seinen Namen.',
    REPOSITORY_UNKNOWN: 'Das Repository existiert nicht, oder Sie haben keinen Zugriff darauf.',
    PLATFORM_UNKNOWN: 'Das Image existiert nicht für diese Plattform.',
    DELETE_UNSUPPORTED: 'Diese Registry lässt kein Löschen zu.',
    TRANSFER_UNKNOWN: 'Die Übertragung existiert nicht mehr, oder Sie haben keinen Zugriff darauf.',
    TRANSFER_SETTLED: 'Diese Übertragung ist bereits abgeschlossen.',
    TRANSFER_NOT_RETRYABLE:
      'In dieser Übertragung ist nichts fehlgeschlagen, das wiederholt werden könnte.',
    SCHEDULE_UNKNOWN: 'Der Zeitplan existiert nicht mehr, oder Sie haben keinen Zugriff darauf.',
    SCHEDULE_RUNNING: 'Der vorherige Lauf dieses Zeitplans ist noch nicht abgeschlossen.',
    OWNER_DISABLED: 'Das Konto des Eigentümers ist deaktiviert.',
    NETWORK:
      'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    INTERNAL:
      'Ein interner Fehler ist aufgetreten. Tritt er wiederholt auf, nennen Sie einem Administrator die Anfrage-ID.',
    RATE_LIMITED: 'Zu viele Anfragen von Ihrer Adresse.',
    LOGIN_FAILED: 'Benutzername oder Passwort ist falsch.',
    LOGIN_THROTTLED: 'Zu viele fehlgeschlagene Anmeldeversuche.',
    ACCOUNT_DISABLED: 'Dieses Konto ist deaktiviert. Wenden Sie sich an einen Administrator.',
    OIDC_ONLY: 'Diese Installation erlaubt nur die Anmeldung über den Identitätsanbieter.',
    ADMIN_ONLY: 'Das können nur Administratoren.',
    JOB_UNKNOWN: 'Der Job existiert nicht mehr, oder Sie haben keinen Zugriff darauf.',
    DOCKERHUB_UNAVAILABLE: 'Docker Hub ist derzeit nicht erreichbar.',
    IMAGE_UNKNOWN: 'Das Image existiert nicht.',
    IMAGE_HAS_HOST: 'Das Image enthält einen Host. Geben Sie ihn im Feld für den Host ein.',
    IMAGE_INVALID:
      'Das ist kein Image-Name. Verwenden Sie Repository, Repository:Tag oder Repository@Digest.',
    REGISTRY_UNKNOWN: 'Die Registry existiert nicht.',
    PULL_EXTERNAL_FORBIDDEN:
      'Sie dürfen nicht aus anderen Registries pullen. Ein Administrator kann diese Berechtigung für einen Ordner erteilen.',
    PUSH_EXTERNAL_FORBIDDEN:
      'Sie dürfen nicht in andere Registries pushen. Ein Administrator kann diese Berechtigung für einen Ordner erteilen.',
    FOLDER_FORBIDDEN:
      'Sie haben diese Berechtigung für den Ordner nicht. Ein Administrator kann sie erteilen.',
    OVERRIDE_FORBIDDEN:
      'Sie dürfen die Scan-Richtlinie nicht lockern. Ein Administrator kann dieses Recht erteilen.',
    VULN_BLOCKED: 'Das Image hat Schwachstellen, die die Scan-Richtlinie nicht zulässt.',
    SCAN_REQUIRED: 'Die Scan-Richtlinie verlangt einen Scan des ganzen Images.',
    ARTIFACT_BLOCKED:
      'Die Richtlinie lässt nur Container-Images zu, und dies ist ein anderes Artefakt.',
    DATABASE_TOO_OLD:
      'Das Image wurde mit einer zu alten Schwachstellendatenbank gescannt. Aktualisieren Sie die Datenbank und scannen Sie erneut.',
    VEX_EMPTY: 'Keine gültige Ausnahme deckt dies ab.',
    VEX_TOO_LARGE:
      'Das OpenVEX-Dokument ist zu groß. Teilen Sie es auf oder exportieren Sie einzelne Images.',
    PATTERN_INVALID: 'Das Muster ist ungültig.',
    POLICY_UNKNOWN: 'Diese Richtlinie existiert nicht mehr, oder Sie haben keinen Zugriff darauf.',
    POLICY_PROTECTED: 'Die Standardrichtlinie wird in den Scan-Einstellungen geändert.',
    POLICY_NAME_TAKEN:
      'Eine Richtlinie mit diesem Namen existiert bereits. Wählen Sie einen anderen Namen.',
    POLICY_CHANGED:
      'Ein anderes Konto hat diese Richtlinie gleichzeitig geändert. Laden Sie sie neu.',
    POLICY_IN_USE:
      'Ordner oder Registries verwenden diese Richtlinie noch. Weisen Sie ihnen zuerst eine andere zu.',
    POLICIES_MANY:
      'Die Höchstzahl an Richtlinien ist erreicht. Löschen Sie eine, die nicht verwendet wird.',
    WAIVER_UNKNOWN: 'Diese Ausnahme existiert nicht mehr, oder Sie haben keinen Zugriff darauf.',
    WAIVER_FORBIDDEN:
      'Sie dürfen diese Aktion für Ausnahmen nicht ausführen. Ein Administrator kann dieses Recht erteilen.',
    WAIVER_OWN_REQUEST:
      'Sie haben diese Ausnahme selbst beantragt: Eine andere Person muss sie genehmigen.',
    WAIVER_CLOSED: 'Diese Ausnahme ist abgeschlossen oder abgelaufen. Beantragen Sie eine neue.',
    WAIVER_CHANGED:
      'Diese Ausnahme wurde gleichzeitig von einem anderen Konto geändert. Sehen Sie sich die Ausnahme noch einmal an.',
    WAIVER_REQUESTER_FORBIDDEN:
      'Das Konto, das diese Ausnahme beantragt hat, darf sie nicht mehr beantragen.',
    WAIVER_END_INVALID: 'Wählen Sie ein Ende in der Zukunft, höchstens 365 Tage ab jetzt.',
    WEBHOOK_UNKNOWN: 'Dieser Webhook existiert nicht mehr, oder Sie haben keinen Zugriff darauf.',
    WEBHOOKS_MANY:
      'Die Höchstzahl an Webhooks ist erreicht. Löschen Sie einen, der nicht verwendet wird.',
    WEBHOOK_DISABLED: 'Der Webhook ist deaktiviert. Aktivieren Sie ihn zuerst.',
    DELIVERY_UNKNOWN:
      'Diese Zustellung existiert nicht mehr. Zustellungen werden sieben Tage aufbewahrt.',
    DELIVERIES_MANY:
      'Zu viele Zustellungen dieses Webhooks warten. Prüfen Sie zuerst seinen Empfänger.',
    URL_PRIVATE:
      'Die URL führt zu einer privaten Adresse. Der Betreiber kann sie mit EGRESS_ALLOW erlauben.',
    URL_DENIED: 'Anfragen an diese Adresse sind nicht erlaubt.',
    JOB_NOT_READY: 'Der Job ist dafür noch nicht bereit.',
    SELECTION_TOO_LARGE:
      'Zu viele Jobs entsprechen dem Filter. Schränken Sie ihn ein; es wurde nichts geändert.',
    JOB_SETTLED: 'Dieser Job ist bereits abgeschlossen.',
    JOB_NOT_RETRYABLE: 'In diesem Job gibt es nichts zu wiederholen.',
    PASSWORD_WRONG: 'Das aktuelle Passwort ist falsch.',
    PASSWORD_UNCHANGED: 'Das neue Passwort muss sich vom aktuellen unterscheiden.',
    PASSWORD_CHANGE_REQUIRED: 'Ändern Sie zuerst Ihr Passwort.',
    OIDC_DISABLED: 'Die Anmeldung über den Identitätsanbieter ist deaktiviert.',
    OIDC_STATE_INVALID:
      'Diese Anmeldung ist abgelaufen oder wurde in einem anderen Browser begonnen. Versuchen Sie es erneut.',
    OIDC_DENIED: 'Der Identitätsanbieter hat die Anmeldung abgelehnt.',
    OIDC_GROUPS_MISSING:
      'Der Identity-Provider hat Ihre Gruppen nicht übermittelt, die für die Anmeldung nötig sind. Wenden Sie sich an einen Administrator.',
    OIDC_NOT_ALLOWED: 'Keine Ihrer Gruppen darf sich hier anmelden.',
    OIDC_PROVIDER_UNAVAILABLE: 'Der Identitätsanbieter ist nicht erreichbar.',
    VALIDATION_FAILED: 'Einige Felder sind ungültig. Prüfen Sie die markierten Felder.',
    LOGINS_BUSY: 'Zu viele gleichzeitige Anmeldungen. Versuchen Sie es erneut.',
    PASSWORDS_UNAVAILABLE:
      'Passwörter können derzeit nicht geprüft werden. Versuchen Sie es erneut.',
    PASSWORD_REQUIRED: 'Geben Sie das Passwort ein.',
    USERNAME_REQUIRED: 'Geben Sie den Benutzernamen ein.',
    CREDENTIAL_MISSING: 'Sie sind nicht angemeldet.',
    SESSION_REQUIRED: 'Dafür müssen Sie angemeldet sein; ein Token genügt nicht.',
    MEMBER_UNKNOWN: 'Dieses Konto ist kein Mitglied der Gruppe mehr.',
    PERMISSION_UNKNOWN: 'Die Gruppe hat keine Berechtigungen für diesen Ordner mehr.',
    TOKEN_ACTION: 'Der Umfang dieses Tokens erlaubt das nicht.',
    ROBOT_UNKNOWN: 'Dieser Robot existiert nicht mehr, oder Sie haben keinen Zugriff darauf.',
    ROBOT_FORBIDDEN:
      'Dieser Robot hat Berechtigungen, die Sie nicht haben. Wenden Sie sich an einen Administrator.',
    ROBOTS_MANY: 'Die Höchstzahl an Robots ist erreicht. Löschen Sie zuerst einige.',
    TRUST_UNKNOWN: 'Diese Vertrauensregel existiert nicht mehr.',
    TRUST_NAME_TAKEN: 'Eine Vertrauensregel mit diesem Namen existiert bereits.',
    TRUSTS_MANY: 'Die Höchstzahl an Vertrauensregeln ist erreicht. Löschen Sie zuerst einige.',
    IDENTITY_TOKEN_INVALID: 'Das Identitätstoken ist ungültig.',
    IDENTITY_TOKEN_EXPIRED: 'Das Identitätstoken ist abgelaufen.',
    IDENTITY_TOKEN_REPLAYED: 'Das Identitätstoken wurde bereits verwendet.',
    IDENTITY_UNTRUSTED: 'Keine Vertrauensregel akzeptiert dieses Identitätstoken.',
    ISSUER_UNAVAILABLE: 'Die Schlüssel des Ausstellers können derzeit nicht abgerufen werden.',
    TOKENS_MANY: 'Sie haben die Höchstzahl an Tokens erreicht. Widerrufen Sie zuerst einige.',
    REGISTRIES_MANY: 'Sie haben die Höchstzahl an Registries erreicht. Löschen Sie zuerst einige.',
    WAIVERS_MANY:
      'Zu viele Ihrer Ausnahmen für diesen Ordner warten auf eine Prüfung. Warten Sie, oder widerrufen Sie zuerst einige.',
    JOBS_MANY: 'Sie haben die Höchstzahl an Jobs erreicht. Löschen Sie zuerst einige.',
    SCHEDULES_MANY: 'Sie haben die Höchstzahl an Zeitplänen erreicht. Löschen Sie zuerst einige.',
    COSTLY_REQUESTS_MANY:
      'Zu viele Anfragen Ihres Kontos werden gerade bearbeitet. Versuchen Sie es erneut.',
    STREAMS_MANY: 'Diese Seite ist in zu vielen Tabs geöffnet. Schließen Sie einige davon.',
    CURSOR_UNKNOWN: 'Die Liste hat sich inzwischen geändert. Laden Sie sie neu.',
    NAME_INVALID: 'Das ist kein gültiger Repository-Name.',
    TAG_INVALID: 'Das ist kein gültiger Tag.',
    DIGEST_INVALID: 'Das ist kein gültiger Digest.',
    HOST_INVALID: 'Das ist kein gültiger Hostname.',
    IDEMPOTENCY_KEY_REUSED: 'Dieselbe Anfrage wurde bereits mit anderem Inhalt gesendet.',
    IDEMPOTENCY_KEY_IN_USE: 'Dieselbe Anfrage wird noch verarbeitet.',
    REPORT_TOO_LARGE:
      'Der Bericht einer Plattform ist zu groß, um in diesem Format zusammengefasst zu werden. Laden Sie eine einzelne Plattform oder JSON herunter.',
    PACKAGES_TOO_MANY: 'Das Image hat zu viele Pakete, um sie aufzulisten.',
    REPORT_UNKNOWN: 'Für dieses Image gibt es keinen Scan-Bericht.',
    SCAN_UNKNOWN: 'Dieser Scan existiert nicht mehr.',
    SCANNER_UNAVAILABLE: 'Der Scanner ist derzeit nicht verfügbar.',
    GC_UNAVAILABLE: 'Kein laufender Worker hat Zugriff auf den Speicher der Registry.',
    OIDC_LOGIN_FAILED: 'Die Anmeldung über den Identitätsanbieter ist fehlgeschlagen.',
    OIDC_USERNAME_TAKEN:
      'Ihr Benutzername gehört hier bereits einem anderen Konto. Wenden Sie sich an einen Administrator.',
    DATABASE_READ_ONLY:
      'Die Datenbank des Servers nimmt derzeit keine Änderungen an. Ein Administrator muss sie prüfen.',
    DATABASE_UNAVAILABLE:
      'Die Datenbank des Servers ist derzeit nicht verfügbar. Versuchen Sie es erneut.',
    REDIS_UNAVAILABLE: 'Redis ist derzeit nicht verfügbar. Versuchen Sie es erneut.',
    QUEUE_UNAVAILABLE:
      'Die Warteschlange für Jobs ist derzeit nicht verfügbar. Versuchen Sie es erneut.',
    EVENTS_UNAVAILABLE: 'Redis hat nicht rechtzeitig geantwortet. Versuchen Sie es erneut.',
    TOKEN_INVALID: 'Ihre Sitzung ist beendet. Melden Sie sich erneut an.',
    CROSS_ORIGIN:
      'Der Server erkennt die Adresse dieser Seite nicht. Ein Administrator muss PUBLIC_URL und den Proxy prüfen.',
    NOT_FOUND: 'Das existiert nicht, oder Sie haben keinen Zugriff darauf.',
    BODY_TOO_LARGE: 'Die Anfrage ist zu groß.',
    RELEASES_UNAVAILABLE: 'Die neueste Version kann derzeit nicht abgefragt werden.',
  },
  title: 'Ein Fehler ist aufgetreten',
  forbidden: 'Zugriff verweigert',
  missing: 'Nicht gefunden',
  details: 'Technische Details',
  unknown: (code) => `Der Vorgang ist fehlgeschlagen: ${code}`,
  unexpected: 'Auf dieser Seite ist ein unerwarteter Fehler aufgetreten. Laden Sie sie neu.',
  tryAgain: 'Erneut versuchen',
  tryAgainIn: (wait) => `Versuchen Sie es in ${wait} erneut.`,
  requestId: 'Anfrage-ID',
  reload: 'Seite neu laden',
  upgraded: 'Der Server wurde aktualisiert',
  upgradedHelp: 'Laden Sie die Seite neu, um fortzufahren.',
  offline: 'Keine Verbindung zum Server',
  offlineHelp: 'Sobald die Verbindung wieder besteht, geht es automatisch weiter.',
  notFound: 'Unter dieser Adresse gibt es keine Seite.',
  home: 'Zur Startseite',
};
