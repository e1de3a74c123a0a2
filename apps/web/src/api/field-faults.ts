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
    fr: 'Choisissez parmi {choices}.',
    de: 'Wählen Sie eines von {choices}.',
  },
  NOT_TEXT: {
    en: 'This holds characters that are not text.',
    fr: 'Contient des caractères qui ne sont pas du texte.',
    de: 'Das enthält Zeichen, die kein Text sind.',
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
    en: 'None of {names}.',
    fr: 'Aucun de ces mots : {names}.',
    de: 'Keines dieser Wörter: {names}.',
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
    en: 'An image, as team/app:1.0 or team/app@sha256:….',
    fr: 'Une image, comme team/app:1.0 ou team/app@sha256:….',
    de: 'Ein Image, wie team/app:1.0 oder team/app@sha256:….',
  },
  ISSUER_INVALID: {
    en: 'An http or https URL without a query, as the provider names itself.',
    fr: 'Une URL http ou https sans requête, telle que le fournisseur se nomme.',
    de: 'Eine http- oder https-URL ohne Abfrage, wie der Anbieter sich selbst nennt.',
  },
  LOCAL_PATH_INVALID: {
    en: 'A path of this site.',
    fr: 'Un chemin de ce site.',
    de: 'Ein Pfad dieser Seite.',
  },
  MAIL_ADDRESS_INVALID: {
    en: 'A mail address, or Name <address>.',
    fr: 'Une adresse e-mail, ou Nom <adresse>.',
    de: 'Eine E-Mail-Adresse, oder Name <Adresse>.',
  },
  NAME_INVALID: {
    en: 'The destination is longer than a repository path may be.',
    fr: 'La destination est plus longue qu’un chemin de dépôt ne peut l’être.',
    de: 'Das Ziel ist länger, als ein Repository-Pfad sein darf.',
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
    fr: '« {at} » n’est pas un motif valide.',
    de: '„{at}“ ist kein gültiges Muster.',
  },
  PLATFORM_INVALID: {
    en: 'As linux/amd64 or linux/arm/v7.',
    fr: 'Comme linux/amd64 ou linux/arm/v7.',
    de: 'Wie linux/amd64 oder linux/arm/v7.',
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
  SCOPE_INVALID: {
    en: 'An OAuth scope: visible ASCII characters without quotes and backslashes.',
    fr: 'Une portée OAuth : caractères ASCII visibles, sans guillemets ni barres obliques inverses.',
    de: 'Ein OAuth-Scope: sichtbare ASCII-Zeichen ohne Anführungszeichen und Backslashes.',
  },
  TAG_INVALID: {
    en: '1 to 128 letters, digits, dots, dashes and underscores, not beginning with a dot or dash.',
    fr: '1 à 128 lettres, chiffres, points, tirets et traits bas, sans point ni tiret au début.',
    de: '1 bis 128 Buchstaben, Ziffern, Punkte, Binde- und Unterstriche, nicht mit Punkt oder Bindestrich beginnend.',
  },
  TIMEZONE_INVALID: {
    en: 'An IANA time zone, as Europe/Berlin.',
    fr: 'Un fuseau horaire IANA, comme Europe/Paris.',
    de: 'Eine IANA-Zeitzone, wie Europe/Berlin.',
  },
  USERNAME_INVALID: {
    en: '1 to 128 letters, digits and . _ @ + -, beginning with a letter or digit.',
    fr: '1 à 128 lettres, chiffres et . _ @ + -, en commençant par une lettre ou un chiffre.',
    de: '1 bis 128 Buchstaben, Ziffern und . _ @ + -, mit einem Buchstaben oder einer Ziffer am Anfang.',
  },
  CRON_FIELDS: {
    en: 'Five fields are expected, or six with the seconds first.',
    fr: 'Cinq champs sont attendus, ou six avec les secondes d’abord.',
    de: 'Fünf Felder werden erwartet, oder sechs mit den Sekunden zuerst.',
  },
  CRON_INVALID: {
    en: 'This is not a valid cron expression: {reason}',
    fr: 'Cette expression cron n’est pas valide : {reason}',
    de: 'Das ist kein gültiger Cron-Ausdruck: {reason}',
  },
  CRON_TOO_OFTEN: {
    en: 'It may run every {seconds} s at most.',
    fr: 'Au plus une exécution toutes les {seconds} s.',
    de: 'Höchstens alle {seconds} s.',
  },
  ACCOUNT_AMBIGUOUS: {
    en: 'Either the user name or the account’s id.',
    fr: 'Soit le nom d’utilisateur, soit l’identifiant du compte.',
    de: 'Entweder der Benutzername oder die Id des Kontos.',
  },
  CA_CERT_INVALID: {
    en: 'Certificates in PEM, and nothing else.',
    fr: 'Des certificats en PEM, et rien d’autre.',
    de: 'Zertifikate in PEM, und nichts anderes.',
  },
  CREDENTIALS_INCOMPLETE: {
    en: 'A user name and a password belong together.',
    fr: 'Nom d’utilisateur et mot de passe vont ensemble.',
    de: 'Benutzername und Passwort gehören zusammen.',
  },
  DESTINATION_IS_SOURCE: {
    en: 'It would be written to where it is read.',
    fr: 'Elle serait écrite là où elle est lue.',
    de: 'Es würde dorthin geschrieben, wo es gelesen wird.',
  },
  DESTINATION_TWICE: {
    en: 'It would be written to the same place as another of the list.',
    fr: 'Elle serait écrite au même endroit qu’une autre de la liste.',
    de: 'Es würde an dieselbe Stelle geschrieben wie ein anderes der Liste.',
  },
  FOLDER_UNKNOWN: {
    en: 'There is no folder {folder}.',
    fr: 'Il n’y a pas de dossier {folder}.',
    de: 'Es gibt keinen Ordner {folder}.',
  },
  IMAGE_HAS_HOST: {
    en: 'The image names a host; choose “another registry” for it.',
    fr: 'L’image nomme un hôte ; choisissez « un autre registre ».',
    de: 'Das Image nennt einen Host; dafür „andere Registry“ wählen.',
  },
  ISSUER_NOT_HTTPS: {
    en: 'This has to be https, unless insecure providers are allowed.',
    fr: 'Il faut https, sauf si les fournisseurs non sécurisés sont autorisés.',
    de: 'Es muss https sein, außer unsichere Anbieter sind erlaubt.',
  },
  PASSWORD_REQUIRED: {
    en: 'For another host, enter the password anew or remove it.',
    fr: 'Pour un autre hôte, saisissez de nouveau le mot de passe ou retirez-le.',
    de: 'Für einen anderen Host das Passwort neu eingeben oder entfernen.',
  },
  PASSWORD_UNCHANGED: {
    en: 'The new password is the current one.',
    fr: 'Le nouveau mot de passe est l’actuel.',
    de: 'Das neue Passwort ist das jetzige.',
  },
  PLATFORM_UNKNOWN: {
    en: 'There is no report for this platform; there is one for {platforms}.',
    fr: 'Pas de rapport pour cette plateforme ; il y en a pour {platforms}.',
    de: 'Für diese Plattform gibt es keinen Bericht; es gibt welche für {platforms}.',
  },
  REPOSITORY_REQUIRED: {
    en: 'Needed to ask about pull and push.',
    fr: 'Requis pour tirer et envoyer.',
    de: 'Zum Holen und Pushen nötig.',
  },
  SEARCH_TERM_REQUIRED: {
    en: 'Name a vulnerability or a package.',
    fr: 'Indiquez une vulnérabilité ou un paquet.',
    de: 'Eine Schwachstelle oder ein Paket angeben.',
  },
  SECRET_UNKNOWN: {
    en: 'Enter the secret anew: none like this is stored.',
    fr: 'Saisissez de nouveau le secret : aucun de tel n’est enregistré.',
    de: 'Das Geheimnis neu eingeben: Ein solches ist nicht gespeichert.',
  },
  SEVERITIES_REPEATED: {
    en: 'Each severity once.',
    fr: 'Chaque gravité une seule fois.',
    de: 'Jeder Schweregrad einmal.',
  },
  TAGS_EXCLUSIVE: {
    en: 'Either a tag or a pattern of tags.',
    fr: 'Soit une étiquette, soit un motif d’étiquettes.',
    de: 'Entweder ein Tag oder ein Muster für Tags.',
  },
  TAGS_MANY: {
    en: 'Several tags can’t all become one: take the newest 1.',
    fr: 'Plusieurs étiquettes ne peuvent en devenir une seule : prenez la plus récente.',
    de: 'Mehrere Tags können nicht einer werden: den neuesten 1 nehmen.',
  },
  TAG_REQUIRED: {
    en: 'A digest needs a tag at the destination.',
    fr: 'Une empreinte demande une étiquette à destination.',
    de: 'Ein Digest braucht einen Tag am Ziel.',
  },
  USERNAME_REQUIRED: {
    en: 'A user name and a password belong together.',
    fr: 'Nom d’utilisateur et mot de passe vont ensemble.',
    de: 'Benutzername und Passwort gehören zusammen.',
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
