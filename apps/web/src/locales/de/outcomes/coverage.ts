import { chooser, counter } from '../../../i18n/count.ts';
import type { coverage as coverageEn } from '../../en/outcomes/coverage.ts';

const count = counter('de');
const form = chooser('de');

export const coverage: typeof coverageEn = {
  title: 'Vom Scan nicht abgedeckt',
  gaps: {
    nothing_found:
      'Es wurden weder ein Betriebssystem noch Pakete gefunden. Daher konnte nichts mit Sicherheitshinweisen abgeglichen werden.',
    os_unrecognised:
      'Das Betriebssystem wurde nicht erkannt. Nur Pakete von Programmiersprachen wurden gescannt.',
    packages_missing: (os) =>
      `${os} wurde erkannt, aber es wurden keine installierten Pakete gefunden.`,
    release_unknown: (os) =>
      `Die Schwachstellendatenbank enthält keine Sicherheitshinweise für ${os}. Die Pakete wurden nicht geprüft.`,
    end_of_life: (os) =>
      `Der Support für ${os} ist beendet. Die Sicherheitshinweise werden nicht mehr aktualisiert.`,
    rebuilt: (supplier) =>
      `Laut Image hat ${supplier} die Pakete neu gebaut. Nur die Sicherheitshinweise von ${supplier} wurden berücksichtigt.`,
    third_party: (n, names) =>
      `Für ${count(n, 'Paket eines Drittanbieters', 'Pakete von Drittanbietern')} gibt es keine Sicherheitshinweise: ${names}`,
    java_index_missing:
      'Der Java-Index wurde noch nicht heruntergeladen. Nur Java-Archive, die ihre Version angeben, wurden gescannt.',
    java_archives_missed: (archives) =>
      `Der Java-Index wurde noch nicht heruntergeladen. Diese Java-Archive geben ihre Version nicht an und wurden nicht gescannt: ${archives}`,
    table_unverified: (n, layers) =>
      `${form(n, 'Das Inhaltsverzeichnis', 'Die Inhaltsverzeichnisse')} von ${count(n, 'Layer ist', 'Layern sind')} nicht verifiziert. Engines, die Layer erst bei Bedarf laden, sehen möglicherweise andere Dateien als der Scanner: ${layers}`,
    packages_unjudged: (n, type, names) =>
      `${count(n, 'Paket', 'Pakete')} vom Typ ${type} ${form(n, 'wurde', 'wurden')} gefunden, aber für diesen Typ hat der Scanner keine Sicherheitshinweise: ${names}`,
    version_missing: (n, type, names) =>
      `${count(n, 'Paket', 'Pakete')} vom Typ ${type} ${form(n, 'hat', 'haben')} keine Version und ${form(n, 'konnte', 'konnten')} nicht geprüft werden: ${names}`,
    database_unread: (system, paths) =>
      `Das Image enthält Pakete von ${system}, die der Scanner nicht liest: ${paths}`,
    files_unread: (n, type, paths) =>
      `Der Scanner hat ${count(n, 'Datei', 'Dateien')} übergangen, die Pakete vom Typ ${type} ${form(n, 'nennt', 'nennen')}: ${paths}`,
    archives_unknown: (n, paths) =>
      `${count(n, 'Java-Archiv konnte', 'Java-Archive konnten')} nicht geprüft werden, weil ${form(n, 'es keine Version nennt und nicht im Java-Index steht', 'sie keine Version nennen und nicht im Java-Index stehen')}: ${paths}`,
    layers_unlisted: (n, layers) =>
      `Nicht alle Dateien von ${count(n, 'Layer', 'Layern')} ließen sich mit der Liste des Scanners vergleichen: ${layers}`,
    os_derived: (os, judgedAs) =>
      `Das Image nennt sich ${os}. Seine Pakete wurden mit den Sicherheitshinweisen von ${judgedAs} verglichen.`,
    os_unjudged: (os) =>
      `Laut Konfiguration läuft das Image unter ${os}. Der Scanner prüft nur Linux-Images.`,
    os_unnamed:
      'Die Konfiguration des Images nennt kein Betriebssystem, und in den Dateien wurde keines erkannt.',
    scanner_warning: (message) => `Der Scanner hat etwas ausgelassen und davor gewarnt: ${message}`,
    foreign_index:
      'Das Image verweist auf einen SOCI-Index, der nicht mit den Layern verglichen wurde. Engines, die Layer erst bei Bedarf laden, sehen möglicherweise andere Dateien als der Scanner.',
    layer_unreadable: (type) => `Ein Layer vom Typ ${type} kann nicht gelesen werden.`,
    config_unreadable: (type) =>
      `Die Konfiguration eines Images ist vom Typ ${type} und kann nicht gelesen werden.`,
    not_an_image: (type) => `Dies ist kein Container-Image, sondern ein Artefakt (${type}).`,
    empty: 'Dies ist kein Container-Image: Es ist leer.',
    artifact_files: (type) => `Ein Artefakt (${type}) enthält Dateien, die nicht gescannt wurden.`,
  },
};
