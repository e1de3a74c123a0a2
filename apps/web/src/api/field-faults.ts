/** Messages for the field faults of the contract, by code, with their parameters. */
import type { FaultParams, FieldFault, FieldFaultCode } from '@portcullis/contract';
import type { Language } from '../i18n/languages.ts';

const ILL_FORMED = {
  en: 'This is not in the expected form.',
  fr: 'La forme n’est pas celle attendue.',
  de: 'Das hat nicht die erwartete Form.',
};

const WORDS: Record<FieldFaultCode, Record<Language, string>> = {
  INVALID: ILL_FORMED,
  INVALID_FORMAT: ILL_FORMED,
  NOT_A_CHOICE: {
    en: 'Choose one of {choices}.',
    fr: 'Choisissez l’une de ces valeurs : {choices}.',
    de: 'Wählen Sie einen dieser Werte: {choices}.',
  },
  NOT_TEXT: {
    en: 'This contains characters that are not allowed.',
    fr: 'Contient des caractères non autorisés.',
    de: 'Das enthält unzulässige Zeichen.',
  },
  REQUIRED: {
    en: 'This field is required.',
    fr: 'Ce champ est requis.',
    de: 'Dieses Feld ist erforderlich.',
  },
  TOO_DEEP: {
    en: 'This is nested too deeply.',
    fr: 'Trop de niveaux d’imbrication.',
    de: 'Das ist zu tief verschachtelt.',
  },
  TOO_FEW: {
    en: 'At least {minimum} of them.',
    fr: 'Au moins {minimum}.',
    de: 'Mindestens {minimum} davon.',
  },
  TOO_LARGE: {
    en: 'Not more than {maximum}.',
    fr: 'Pas plus de {maximum}.',
    de: 'Nicht mehr als {maximum}.',
  },
  TOO_LONG: {
    en: 'At most {maximum} characters.',
    fr: 'Au plus {maximum} caractères.',
    de: 'Höchstens {maximum} Zeichen.',
  },
  TOO_MANY: {
    en: 'At most {maximum} of them.',
    fr: 'Au plus {maximum}.',
    de: 'Höchstens {maximum} davon.',
  },
  TOO_SHORT: {
    en: 'At least {minimum} characters.',
    fr: 'Au moins {minimum} caractères.',
    de: 'Mindestens {minimum} Zeichen.',
  },
  TOO_SMALL: {
    en: 'Not less than {minimum}.',
    fr: 'Pas moins de {minimum}.',
    de: 'Nicht weniger als {minimum}.',
  },
  UNKNOWN_FIELD: {
    en: 'There is no such field.',
    fr: 'Ce champ n’existe pas.',
    de: 'Dieses Feld gibt es nicht.',
  },
  WRONG_TYPE: ILL_FORMED,
  DIGEST_INVALID: {
    en: 'A digest is expected, such as sha256:….',
    fr: 'Un condensat (digest) est attendu, par exemple sha256:….',
    de: 'Erwartet wird ein Digest, etwa sha256:….',
  },
  EMAIL_INVALID: {
    en: 'This isn’t an e-mail address.',
    fr: 'Ce n’est pas une adresse e-mail.',
    de: 'Das ist keine E-Mail-Adresse.',
  },
  FOLDER_NAME_INVALID: {
    en: 'Lower-case letters and digits with single . _ - between them, at most 128, and not a UUID.',
    fr: 'Minuscules et chiffres, avec un seul . _ - entre eux, 128 au plus, et pas d’UUID.',
    de: 'Kleinbuchstaben und Ziffern mit einzelnen . _ - dazwischen, höchstens 128, und keine UUID.',
  },
  FOLDER_NAME_RESERVED: {
    en: 'These names are reserved: {names}.',
    fr: 'Ces noms sont réservés : {names}.',
    de: 'Diese Namen sind reserviert: {names}.',
  },
  HOST_INVALID: {
    en: 'A host name or an address.',
    fr: 'Un nom d’hôte ou une adresse.',
    de: 'Ein Hostname oder eine Adresse.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    en: '1 to 255 visible ASCII characters.',
    fr: '1 à 255 caractères ASCII visibles.',
    de: '1 bis 255 sichtbare ASCII-Zeichen.',
  },
  IMAGE_INVALID: {
    en: 'An image, for example team/app:1.0 or team/app@sha256:….',
    fr: 'Une image, par exemple team/app:1.0 ou team/app@sha256:….',
    de: 'Ein Image, zum Beispiel team/app:1.0 oder team/app@sha256:….',
  },
  ISSUER_INVALID: {
    en: 'An http or https URL without a query, exactly as the provider states it.',
    fr: 'Une URL http ou https sans paramètres, exactement telle que le fournisseur l’indique.',
    de: 'Eine http- oder https-URL ohne Query-Parameter, genau wie der Anbieter sie angibt.',
  },
  LOCAL_PATH_INVALID: {
    en: 'A path of this site.',
    fr: 'Un chemin de ce site.',
    de: 'Ein Pfad auf dieser Website.',
  },
  MAIL_ADDRESS_INVALID: {
    en: 'A mail address, or Name <address>.',
    fr: 'Une adresse e-mail, ou Nom <adresse>.',
    de: 'Eine E-Mail-Adresse oder Name <Adresse>.',
  },
  NAME_INVALID: {
    en: 'The destination is longer than a repository path may be.',
    fr: 'La destination dépasse la longueur maximale d’un chemin de dépôt.',
    de: 'Das Ziel überschreitet die maximale Länge eines Repository-Pfads.',
  },
  NOT_ONE_LINE: {
    en: 'One line of text.',
    fr: 'Une seule ligne de texte.',
    de: 'Eine Zeile Text.',
  },
  PATH_NOT_ABSOLUTE: {
    en: 'An absolute path.',
    fr: 'Un chemin absolu.',
    de: 'Ein absoluter Pfad.',
  },
  PATTERN_INVALID: {
    en: '“{at}” is not a valid pattern.',
    fr: '« {at} » n’est pas un motif valide.',
    de: '„{at}“ ist kein gültiges Muster.',
  },
  PLATFORM_INVALID: {
    en: 'For example linux/amd64 or linux/arm/v7.',
    fr: 'Par exemple linux/amd64 ou linux/arm/v7.',
    de: 'Zum Beispiel linux/amd64 oder linux/arm/v7.',
  },
  PROXY_URL_INVALID: {
    en: 'The URL of an http or https proxy.',
    fr: 'L’URL d’un proxy http ou https.',
    de: 'Die URL eines http- oder https-Proxys.',
  },
  REFERENCE_INVALID: {
    en: 'A tag or a digest.',
    fr: 'Une étiquette ou une empreinte.',
    de: 'Ein Tag oder ein Digest.',
  },
  REPOSITORY_INVALID: {
    en: 'A repository path in lower case, without host, tag or digest, at most 255 characters.',
    fr: 'Un chemin de dépôt en minuscules, sans hôte, étiquette ni empreinte, 255 caractères au plus.',
    de: 'Ein Repository-Pfad in Kleinbuchstaben, ohne Host, Tag oder Digest, höchstens 255 Zeichen.',
  },
  CLAIM_PATTERN_INVALID: {
    en: 'Enter a value; * stands for a part of a segment, ** for any part.',
    fr: 'Indiquez une valeur ; * remplace une partie d’un segment, ** n’importe quelle partie.',
    de: 'Geben Sie einen Wert ein; * steht für einen Teil eines Segments, ** für beliebig viele.',
  },
  REPOSITORY_PATTERN_INVALID: {
    en: 'Enter a repository; * stands for a part of a segment, ** for any part.',
    fr: 'Indiquez un dépôt ; * remplace une partie d’un segment, ** n’importe quelle partie.',
    de: 'Geben Sie ein Repository ein; * steht für einen Teil eines Segments, ** für beliebig viele.',
  },
  SCOPE_INVALID: {
    en: 'An OAuth scope: visible ASCII characters without quotes and backslashes.',
    fr: 'Une portée OAuth : caractères ASCII visibles, sans guillemets ni barres obliques inverses.',
    de: 'Ein OAuth-Scope: sichtbare ASCII-Zeichen ohne Anführungszeichen und Backslashes.',
  },
  TAG_INVALID: {
    en: '1 to 128 letters, digits, dots, dashes and underscores, not beginning with a dot or dash.',
    fr: '1 à 128 lettres, chiffres, points, tirets et traits bas, sans point ni tiret au début.',
    de: '1 bis 128 Buchstaben, Ziffern, Punkte, Binde- und Unterstriche, nicht mit Punkt oder Bindestrich beginnend.',
  },
  TIMEZONE_INVALID: {
    en: 'An IANA time zone, for example Europe/Berlin.',
    fr: 'Un fuseau horaire IANA, par exemple Europe/Paris.',
    de: 'Eine IANA-Zeitzone, zum Beispiel Europe/Berlin.',
  },
  URL_INVALID: {
    en: 'Enter an http or https URL without a user name, a password and #.',
    fr: 'Saisissez une URL http ou https sans nom d’utilisateur, mot de passe ni #.',
    de: 'Geben Sie eine http- oder https-URL ohne Benutzername, Passwort und # an.',
  },
  USERNAME_INVALID: {
    en: '1 to 128 letters, digits and . _ @ + -, beginning with a letter or digit.',
    fr: '1 à 128 lettres, chiffres et . _ @ + -, en commençant par une lettre ou un chiffre.',
    de: '1 bis 128 Buchstaben, Ziffern und . _ @ + -, mit einem Buchstaben oder einer Ziffer am Anfang.',
  },
  VULNERABILITY_INVALID: {
    en: 'Enter the ID of a vulnerability, such as CVE-2026-1234.',
    fr: 'Indiquez l’identifiant d’une vulnérabilité, par exemple CVE-2026-1234.',
    de: 'Geben Sie die ID einer Schwachstelle ein, etwa CVE-2026-1234.',
  },
  CRON_FIELDS: {
    en: 'Five fields are expected, or six with the seconds first.',
    fr: 'Cinq champs sont attendus, ou six en commençant par les secondes.',
    de: 'Erwartet werden fünf Felder, oder sechs mit den Sekunden an erster Stelle.',
  },
  CRON_INVALID: {
    en: 'This is not a valid cron expression: {reason}',
    fr: 'Cette expression cron n’est pas valide : {reason}',
    de: 'Das ist kein gültiger Cron-Ausdruck: {reason}',
  },
  CRON_TOO_OFTEN: {
    en: 'It may run every {seconds} s at most.',
    fr: 'Au plus une exécution toutes les {seconds} s.',
    de: 'Höchstens eine Ausführung alle {seconds} s.',
  },
  ACCOUNT_AMBIGUOUS: {
    en: 'Either the user name or the account’s id.',
    fr: 'Soit le nom d’utilisateur, soit l’identifiant du compte.',
    de: 'Entweder der Benutzername oder die ID des Kontos.',
  },
  CA_CERT_INVALID: {
    en: 'Only certificates in PEM format.',
    fr: 'Uniquement des certificats au format PEM.',
    de: 'Nur Zertifikate im PEM-Format.',
  },
  CREDENTIALS_INCOMPLETE: {
    en: 'Enter both a user name and a password.',
    fr: 'Indiquez à la fois un nom d’utilisateur et un mot de passe.',
    de: 'Geben Sie sowohl Benutzername als auch Passwort an.',
  },
  DESTINATION_IS_SOURCE: {
    en: 'The destination is the same as the source.',
    fr: 'La destination est identique à la source.',
    de: 'Das Ziel ist mit der Quelle identisch.',
  },
  DESTINATION_TWICE: {
    en: 'Another image in the list has the same destination.',
    fr: 'Une autre image de la liste a la même destination.',
    de: 'Ein anderes Image in der Liste hat dasselbe Ziel.',
  },
  FOLDER_UNKNOWN: {
    en: 'There is no folder {folder}.',
    fr: 'Le dossier {folder} n’existe pas.',
    de: 'Der Ordner {folder} existiert nicht.',
  },
  IMAGE_HAS_HOST: {
    en: 'The image names a host; choose “another registry” for it.',
    fr: 'L’image contient un hôte ; choisissez « un autre registre ».',
    de: 'Das Image enthält einen Host; wählen Sie dafür „Andere Registry“.',
  },
  ISSUER_NOT_HTTPS: {
    en: 'HTTPS is required, unless insecure providers are allowed.',
    fr: 'HTTPS est requis, sauf si les fournisseurs non sécurisés sont autorisés.',
    de: 'HTTPS ist erforderlich, solange kein Aussteller ohne TLS zugelassen ist.',
  },
  JUSTIFICATION_REQUIRED: {
    en: 'State why the image is not affected.',
    fr: 'Indiquez pourquoi l’image n’est pas affectée.',
    de: 'Geben Sie an, warum das Image nicht betroffen ist.',
  },
  JUSTIFICATION_UNEXPECTED: {
    en: 'Only “not affected” has a justification.',
    fr: 'Seul le statut « non affectée » a une justification.',
    de: 'Nur „Nicht betroffen“ hat eine Rechtfertigung.',
  },
  TOKEN_DELETE_ALONE: {
    en: 'The action delete also needs the action push.',
    fr: 'L’action de suppression nécessite aussi l’action de push.',
    de: '„Images löschen“ erfordert auch „Images pushen“.',
  },
  TOKEN_SCOPE_EMPTY: {
    en: 'Choose the API, the registry or both.',
    fr: 'Choisissez l’API, le registre ou les deux.',
    de: 'Wählen Sie die API, die Registry oder beides.',
  },
  TRUST_TOO_WIDE: {
    en: 'Tokens of any owner would match. Name an owner in repository, repository_owner, project_path, namespace_path or sub, without a wildcard in it.',
    fr: 'Les jetons de n’importe quel propriétaire correspondraient. Nommez un propriétaire dans repository, repository_owner, project_path, namespace_path ou sub, sans caractère générique.',
    de: 'Tokens beliebiger Eigentümer würden passen. Nennen Sie einen Eigentümer in repository, repository_owner, project_path, namespace_path oder sub, ohne Platzhalter darin.',
  },
  PACKAGE_REQUIRED: {
    en: 'A version needs its package.',
    fr: 'Une version nécessite son paquet.',
    de: 'Zu einer Version gehört ein Paket.',
  },
  PASSWORD_REQUIRED: {
    en: 'For another host, enter the password again or remove it.',
    fr: 'Pour un autre hôte, saisissez à nouveau le mot de passe ou supprimez-le.',
    de: 'Geben Sie für einen anderen Host das Passwort erneut ein, oder entfernen Sie es.',
  },
  PASSWORD_UNCHANGED: {
    en: 'The new password is the same as the current one.',
    fr: 'Le nouveau mot de passe est identique à l’actuel.',
    de: 'Das neue Passwort ist mit dem aktuellen identisch.',
  },
  PLATFORM_UNKNOWN: {
    en: 'There is no report for this platform; available: {platforms}.',
    fr: 'Aucun rapport pour cette plateforme ; disponibles : {platforms}.',
    de: 'Für diese Plattform gibt es keinen Bericht; verfügbar: {platforms}.',
  },
  POLICY_NAME_RESERVED: {
    en: 'The default policy has this name. Choose another one.',
    fr: 'La politique par défaut porte ce nom. Choisissez-en un autre.',
    de: 'Die Standardrichtlinie trägt diesen Namen. Wählen Sie einen anderen.',
  },
  POLICY_UNKNOWN: {
    en: 'This policy no longer exists.',
    fr: 'Cette politique n’existe plus.',
    de: 'Diese Richtlinie existiert nicht mehr.',
  },
  REPOSITORY_REQUIRED: {
    en: 'Required for pull and push.',
    fr: 'Requis pour pull et push.',
    de: 'Für Pull und Push erforderlich.',
  },
  SEARCH_TERM_REQUIRED: {
    en: 'Enter a vulnerability or a package.',
    fr: 'Indiquez une vulnérabilité ou un paquet.',
    de: 'Geben Sie eine Schwachstelle oder ein Paket an.',
  },
  SECRET_UNKNOWN: {
    en: 'Enter the secret again: it is not stored.',
    fr: 'Saisissez à nouveau le secret : il n’est pas enregistré.',
    de: 'Geben Sie das Geheimnis erneut ein: Es ist nicht gespeichert.',
  },
  SEVERITIES_REPEATED: {
    en: 'Each severity may be listed only once.',
    fr: 'Chaque gravité ne peut figurer qu’une seule fois.',
    de: 'Jeder Schweregrad darf nur einmal vorkommen.',
  },
  TAGS_EXCLUSIVE: {
    en: 'Either a tag or a pattern of tags.',
    fr: 'Soit une étiquette, soit un motif d’étiquettes.',
    de: 'Entweder ein Tag oder ein Muster für Tags.',
  },
  TAGS_MANY: {
    en: 'Several tags can’t be written to one tag: set newest to 1.',
    fr: 'Plusieurs étiquettes ne peuvent pas être écrites sous une seule : ne gardez que la plus récente.',
    de: 'Mehrere Tags können nicht unter einem einzigen Tag geschrieben werden: Wählen Sie nur den neuesten.',
  },
  TAG_REQUIRED: {
    en: 'A digest needs a tag at the destination.',
    fr: 'Une empreinte nécessite une étiquette à la destination.',
    de: 'Für einen Digest ist am Ziel ein Tag erforderlich.',
  },
  URL_DENIED: {
    en: 'Requests to this address are not allowed.',
    fr: 'Les requêtes vers cette adresse ne sont pas autorisées.',
    de: 'Anfragen an diese Adresse sind nicht erlaubt.',
  },
  URL_PRIVATE: {
    en: 'This is a private address. The operator can allow it with EGRESS_ALLOW.',
    fr: 'Cette adresse est privée. L’exploitant peut l’autoriser avec EGRESS_ALLOW.',
    de: 'Diese Adresse ist privat. Der Betreiber kann sie mit EGRESS_ALLOW erlauben.',
  },
  USERNAME_REQUIRED: {
    en: 'Enter both a user name and a password.',
    fr: 'Indiquez à la fois un nom d’utilisateur et un mot de passe.',
    de: 'Geben Sie sowohl Benutzername als auch Passwort an.',
  },
  WAIVER_END_INVALID: {
    en: 'Choose an end in the future, at most {days} days from now.',
    fr: 'Choisissez une fin dans le futur, au plus dans {days} jours.',
    de: 'Wählen Sie ein Ende in der Zukunft, höchstens {days} Tage ab jetzt.',
  },
};

/** An unknown code (of another server version, or of a refusal) keeps its English message. */
export function fieldFault({ code, params, message }: FieldFault, language: Language): string {
  return isKnown(code) ? filled(WORDS[code][language], params) : message;
}

function isKnown(code: string): code is FieldFaultCode {
  return Object.hasOwn(WORDS, code);
}

function filled(words: string, params: FaultParams): string {
  return words.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''));
}
