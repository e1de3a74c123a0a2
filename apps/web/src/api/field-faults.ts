/**
 * What the server says of a field, in the reader's words. It says so in English sentences (some of them its schema
 * library's own); they are known here by their shape. One that isn't is shown as it came.
 */
import type { Language } from '../i18n/words.ts';

type Said = readonly [shape: RegExp, words: Record<Language, string>];

const NEEDED = { en: 'This is needed.', fr: 'Ce champ est requis.', de: 'Das wird gebraucht.' };
const ILL_FORMED = {
  en: 'This isn’t of the form that is expected.',
  fr: 'La forme n’est pas celle attendue.',
  de: 'Das hat nicht die erwartete Form.',
};

/** First match wins; `$1` is what the shape captures. */
const SAID: readonly Said[] = [
  [/^Invalid input: expected .+, received (?:undefined|null)$/, NEEDED],
  [/^Too small: expected string to have >=1 characters?$/, NEEDED],
  [/^is needed(?: to switch this on)?$/, NEEDED],
  [
    /^Too small: expected string to have >=(\d+) characters$/,
    { en: 'At least $1 characters.', fr: 'Au moins $1 caractères.', de: 'Mindestens $1 Zeichen.' },
  ],
  [
    /^Too big: expected string to have <=(\d+) characters$/,
    { en: 'At most $1 characters.', fr: 'Au plus $1 caractères.', de: 'Höchstens $1 Zeichen.' },
  ],
  [
    /^Too small: expected array to have >=(\d+) items$/,
    { en: 'At least $1 of them.', fr: 'Au moins $1.', de: 'Mindestens $1 davon.' },
  ],
  [
    /^Too big: expected array to have <=(\d+) items$/,
    { en: 'At most $1 of them.', fr: 'Au plus $1.', de: 'Höchstens $1 davon.' },
  ],
  [
    /^Too small: expected (?:number|int) to be >=?(-?\d+)$/,
    { en: 'Not less than $1.', fr: 'Pas moins de $1.', de: 'Nicht weniger als $1.' },
  ],
  [
    /^Too big: expected (?:number|int) to be <=?(-?\d+)$/,
    { en: 'Not more than $1.', fr: 'Pas plus de $1.', de: 'Nicht mehr als $1.' },
  ],
  [
    /^Invalid email address$/,
    {
      en: 'This isn’t an e-mail address.',
      fr: 'Ce n’est pas une adresse e-mail.',
      de: 'Das ist keine E-Mail-Adresse.',
    },
  ],
  [
    /^Invalid option: expected one of (.+)$/,
    { en: 'Choose one of $1.', fr: 'Choisissez parmi $1.', de: 'Wählen Sie eines von $1.' },
  ],
  [
    /^a repository path in lower case/,
    {
      en: 'A repository path in lower case, without host, tag or digest, at most 255 characters.',
      fr: 'Un chemin de dépôt en minuscules, sans hôte, étiquette ni empreinte, 255 caractères au plus.',
      de: 'Ein Repository-Pfad in Kleinbuchstaben, ohne Host, Tag oder Digest, höchstens 255 Zeichen.',
    },
  ],
  [
    /^a tag: 1 to 128/,
    {
      en: '1 to 128 letters, digits, dots, dashes and underscores, not beginning with a dot or dash.',
      fr: '1 à 128 lettres, chiffres, points, tirets et traits bas, sans point ni tiret au début.',
      de: '1 bis 128 Buchstaben, Ziffern, Punkte, Binde- und Unterstriche, nicht mit Punkt oder Bindestrich beginnend.',
    },
  ],
  [
    /^a tag or a digest$/,
    {
      en: 'A tag or a digest.',
      fr: 'Une étiquette ou une empreinte.',
      de: 'Ein Tag oder ein Digest.',
    },
  ],
  [
    /^os\/architecture/,
    {
      en: 'As linux/amd64 or linux/arm/v7.',
      fr: 'Comme linux/amd64 ou linux/arm/v7.',
      de: 'Wie linux/amd64 oder linux/arm/v7.',
    },
  ],
  [
    /^a host name or (?:an )?address/,
    {
      en: 'A host name or an address.',
      fr: 'Un nom d’hôte ou une adresse.',
      de: 'Ein Hostname oder eine Adresse.',
    },
  ],
  [
    /^(?:must be one line|one line of text)$/,
    { en: 'One line of text.', fr: 'Une seule ligne de texte.', de: 'Eine Zeile Text.' },
  ],
  [
    /^an absolute path$/,
    { en: 'An absolute path.', fr: 'Un chemin absolu.', de: 'Ein absoluter Pfad.' },
  ],
  [
    /^the URL of an http or https proxy$/,
    {
      en: 'The URL of an http or https proxy.',
      fr: 'L’URL d’un proxy http ou https.',
      de: 'Die URL eines http- oder https-Proxys.',
    },
  ],
  [
    /^a mail address, or Name/,
    {
      en: 'A mail address, or Name <address>.',
      fr: 'Une adresse e-mail, ou Nom <adresse>.',
      de: 'Eine E-Mail-Adresse, oder Name <Adresse>.',
    },
  ],
  [
    /^expected an http or https URL/,
    {
      en: 'An http or https URL without a query, as the provider names itself.',
      fr: 'Une URL http ou https sans requête, telle que le fournisseur se nomme.',
      de: 'Eine http- oder https-URL ohne Abfrage, wie der Anbieter sich selbst nennt.',
    },
  ],
  [
    /^has to be https, unless allow_insecure is set$/,
    {
      en: 'This has to be https, unless insecure providers are allowed.',
      fr: 'Il faut https, sauf si les fournisseurs non sécurisés sont autorisés.',
      de: 'Es muss https sein, außer unsichere Anbieter sind erlaubt.',
    },
  ],
  [
    /^must be lower-case letters and digits/,
    {
      en: 'Lower-case letters and digits with single . _ - between them, at most 128, and not a UUID.',
      fr: 'Minuscules et chiffres, avec un seul . _ - entre eux, 128 au plus, et pas d’UUID.',
      de: 'Kleinbuchstaben und Ziffern mit einzelnen . _ - dazwischen, höchstens 128, und keine UUID.',
    },
  ],
  [
    /^must not be one of (.+)$/,
    { en: 'None of $1.', fr: 'Aucun de ces mots : $1.', de: 'Keines dieser Wörter: $1.' },
  ],
  [
    /^1 to 128 letters, digits, dots/,
    {
      en: '1 to 128 letters, digits and . _ @ + -, beginning with a letter or digit.',
      fr: '1 à 128 lettres, chiffres et . _ @ + -, en commençant par une lettre ou un chiffre.',
      de: '1 bis 128 Buchstaben, Ziffern und . _ @ + -, mit einem Buchstaben oder einer Ziffer am Anfang.',
    },
  ],
  [
    /^needed where source_tag is a digest$|^A digest needs a dest_tag\.$/,
    {
      en: 'A digest needs a tag at the destination.',
      fr: 'Une empreinte demande une étiquette à destination.',
      de: 'Ein Digest braucht einen Tag am Ziel.',
    },
  ],
  [
    /^[Aa] password belongs to a username\.?$|^username and password belong together$/,
    {
      en: 'A user name and a password belong together.',
      fr: 'Nom d’utilisateur et mot de passe vont ensemble.',
      de: 'Benutzername und Passwort gehören zusammen.',
    },
  ],
  [
    /^For another host the password has to be given anew/,
    {
      en: 'For another host, enter the password anew or remove it.',
      fr: 'Pour un autre hôte, saisissez de nouveau le mot de passe ou retirez-le.',
      de: 'Für einen anderen Host das Passwort neu eingeben oder entfernen.',
    },
  ],
  [
    /^Certificates in PEM are expected/,
    {
      en: 'Certificates in PEM, and nothing else.',
      fr: 'Des certificats en PEM, et rien d’autre.',
      de: 'Zertifikate in PEM, und nichts anderes.',
    },
  ],
  [
    /^The new password is the current one\.$/,
    {
      en: 'The new password is the current one.',
      fr: 'Le nouveau mot de passe est l’actuel.',
      de: 'Das neue Passwort ist das jetzige.',
    },
  ],
  [
    /^is masked, but no secret like this is stored$/,
    {
      en: 'Enter the secret anew: none like this is stored.',
      fr: 'Saisissez de nouveau le secret : aucun de tel n’est enregistré.',
      de: 'Das Geheimnis neu eingeben: Ein solches ist nicht gespeichert.',
    },
  ],
  [
    /^The image names a host/,
    {
      en: 'The image names a host; choose “another registry” for it.',
      fr: 'L’image nomme un hôte ; choisissez « un autre registre ».',
      de: 'Das Image nennt einen Host; dafür „andere Registry“ wählen.',
    },
  ],
  [
    /^There is no folder (.+)\.$/,
    {
      en: 'There is no folder $1.',
      fr: 'Il n’y a pas de dossier $1.',
      de: 'Es gibt keinen Ordner $1.',
    },
  ],
  [
    /^The destination is longer than a repository path may be\.$/,
    {
      en: 'The destination is longer than a repository path may be.',
      fr: 'La destination est plus longue qu’un chemin de dépôt ne peut l’être.',
      de: 'Das Ziel ist länger, als ein Repository-Pfad sein darf.',
    },
  ],
  [
    /^It would be written to where it is read\.$/,
    {
      en: 'It would be written to where it is read.',
      fr: 'Elle serait écrite là où elle est lue.',
      de: 'Es würde dorthin geschrieben, wo es gelesen wird.',
    },
  ],
  [
    /^It would be written to the same place as images\.(\d+)\.$/,
    {
      en: 'It would be written to the same place as another of the list.',
      fr: 'Elle serait écrite au même endroit qu’une autre de la liste.',
      de: 'Es würde an dieselbe Stelle geschrieben wie ein anderes der Liste.',
    },
  ],
  [
    /^Several tags cannot all become dest_tag/,
    {
      en: 'Several tags can’t all become one: take the newest 1.',
      fr: 'Plusieurs étiquettes ne peuvent en devenir une seule : prenez la plus récente.',
      de: 'Mehrere Tags können nicht einer werden: den neuesten 1 nehmen.',
    },
  ],
  [
    /^tag and tags exclude each other$/,
    {
      en: 'Either a tag or a pattern of tags.',
      fr: 'Soit une étiquette, soit un motif d’étiquettes.',
      de: 'Entweder ein Tag oder ein Muster für Tags.',
    },
  ],
  [
    /^"(.+)" is not a range of versions$/,
    {
      en: '“$1” is not a range of versions.',
      fr: '« $1 » n’est pas une plage de versions.',
      de: '„$1“ ist kein Bereich von Versionen.',
    },
  ],
  [
    /^braces of "(.+)" don't pair$/,
    {
      en: 'The braces of “$1” don’t pair.',
      fr: 'Les accolades de « $1 » ne vont pas par paires.',
      de: 'Die geschweiften Klammern von „$1“ passen nicht zusammen.',
    },
  ],
  [
    /^error parsing regexp: .+: `(.+)`$/,
    {
      en: 'This expression stops making sense at “$1”.',
      fr: 'Cette expression n’a plus de sens à « $1 ».',
      de: 'Dieser Ausdruck ergibt ab „$1“ keinen Sinn.',
    },
  ],
  [
    /^an IANA time zone/,
    {
      en: 'An IANA time zone, as Europe/Berlin.',
      fr: 'Un fuseau horaire IANA, comme Europe/Paris.',
      de: 'Eine IANA-Zeitzone, wie Europe/Berlin.',
    },
  ],
  [
    /^five fields are expected, or six with seconds first$/,
    {
      en: 'Five fields are expected, or six with the seconds first.',
      fr: 'Cinq champs sont attendus, ou six avec les secondes d’abord.',
      de: 'Fünf Felder werden erwartet, oder sechs mit den Sekunden zuerst.',
    },
  ],
  [
    /^it may run every (\d+) s at most$/,
    {
      en: 'It may run every $1 s at most.',
      fr: 'Au plus une exécution toutes les $1 s.',
      de: 'Höchstens alle $1 s.',
    },
  ],
  [
    /^each severity once$/,
    {
      en: 'Each severity once.',
      fr: 'Chaque gravité une seule fois.',
      de: 'Jeder Schweregrad einmal.',
    },
  ],
  [
    /^holds characters that are not text$/,
    {
      en: 'This holds characters that are not text.',
      fr: 'Contient des caractères qui ne sont pas du texte.',
      de: 'Das enthält Zeichen, die kein Text sind.',
    },
  ],
  [
    /^name the account by username or by user_id, not both$/,
    {
      en: 'Either the user name or the account’s id.',
      fr: 'Soit le nom d’utilisateur, soit l’identifiant du compte.',
      de: 'Entweder der Benutzername oder die Id des Kontos.',
    },
  ],
  [
    /^is needed for pull and push$/,
    {
      en: 'Needed to ask about pull and push.',
      fr: 'Requis pour tirer et envoyer.',
      de: 'Zum Holen und Pushen nötig.',
    },
  ],
  [
    /^cve or package is needed$/,
    {
      en: 'Name a vulnerability or a package.',
      fr: 'Indiquez une vulnérabilité ou un paquet.',
      de: 'Eine Schwachstelle oder ein Paket angeben.',
    },
  ],
  [
    /^expected a path of this site$/,
    { en: 'A path of this site.', fr: 'Un chemin de ce site.', de: 'Ein Pfad dieser Seite.' },
  ],
  [/^Invalid (?:input|string|URL|UUID|ISO|type)/, ILL_FORMED],
];

export function fieldFault(message: string, language: Language): string {
  for (const [shape, words] of SAID) {
    if (shape.test(message))
      return message.replace(new RegExp(`${shape.source}.*`, 's'), words[language]);
  }
  return message;
}
