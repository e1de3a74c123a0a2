import { chooser, counter } from '../../../i18n/count.ts';
import type { coverage as coverageEn } from '../../en/outcomes/coverage.ts';

const count = counter('fr');
const form = chooser('fr');

export const coverage: typeof coverageEn = {
  title: 'Non couvert par l’analyse',
  gaps: {
    nothing_found:
      'Ni système d’exploitation ni paquet n’a été trouvé : il n’y avait rien à comparer aux avis de sécurité.',
    os_unrecognised:
      'Le système d’exploitation n’a pas été reconnu. Seuls les paquets de langages de programmation ont été analysés.',
    packages_missing: (os) => `${os} a été reconnu, mais aucun paquet installé n’a été trouvé.`,
    release_unknown: (os) =>
      `La base de vulnérabilités ne contient aucun avis de sécurité pour ${os}. Ses paquets n’ont pas été vérifiés.`,
    end_of_life: (os) => `${os} est en fin de vie. Ses avis de sécurité ne sont plus mis à jour.`,
    rebuilt: (supplier) =>
      `D’après l’image, ses paquets ont été reconstruits par ${supplier}. Seuls les avis de sécurité de ${supplier} ont été pris en compte.`,
    third_party: (n, names) =>
      `${count(n, 'paquet tiers n’a', 'paquets tiers n’ont')} aucun avis de sécurité : ${names}`,
    java_index_missing:
      'L’index Java n’a pas encore été téléchargé. Seules les archives Java qui indiquent leur version ont été analysées.',
    java_archives_missed: (archives) =>
      `L’index Java n’a pas encore été téléchargé. Ces archives Java n’indiquent pas leur version et n’ont pas été analysées : ${archives}`,
    table_unverified: (n, layers) =>
      `${form(n, 'La table des matières', 'Les tables des matières')} de ${count(n, 'couche n’est pas vérifiée', 'couches ne sont pas vérifiées')}. Les moteurs qui chargent les couches à la demande peuvent voir d’autres fichiers que l’analyseur : ${layers}`,
    packages_unjudged: (n, type, names) =>
      `${count(n, 'paquet', 'paquets')} de type ${type} ${form(n, 'a été trouvé', 'ont été trouvés')}, mais l’analyseur n’a aucun avis de sécurité pour ce type : ${names}`,
    version_missing: (n, type, names) =>
      `${count(n, 'paquet', 'paquets')} de type ${type} ${form(n, 'n’a pas de version et n’a pas pu être vérifié', 'n’ont pas de version et n’ont pas pu être vérifiés')} : ${names}`,
    database_unread: (system, paths) =>
      `L’image contient des paquets de ${system}, que l’analyseur ne lit pas : ${paths}`,
    files_unread: (n, type, paths) =>
      `L’analyseur a ignoré ${count(n, 'fichier qui nomme', 'fichiers qui nomment')} des paquets de type ${type} : ${paths}`,
    archives_unknown: (n, paths) =>
      `${count(n, 'archive Java n’a', 'archives Java n’ont')} pas pu être ${form(n, 'vérifiée', 'vérifiées')}, faute de version et d’entrée dans l’index Java : ${paths}`,
    layers_unlisted: (n, layers) =>
      `Tous les fichiers de ${count(n, 'couche', 'couches')} n’ont pas pu être comparés à la liste de l’analyseur : ${layers}`,
    os_derived: (os, judgedAs) =>
      `L’image se nomme ${os}. Ses paquets ont été vérifiés avec les avis de sécurité de ${judgedAs}.`,
    os_unjudged: (os) =>
      `D’après sa configuration, l’image fonctionne sous ${os}. L’analyseur ne vérifie que les images Linux.`,
    os_unnamed:
      'La configuration de l’image n’indique aucun système d’exploitation, et aucun n’a été reconnu dans ses fichiers.',
    scanner_warning: (message) =>
      `L’analyseur a omis quelque chose et l’a signalé par un avertissement : ${message}`,
    foreign_index:
      'L’image mentionne un index SOCI, qui n’a pas été comparé à ses couches. Les moteurs qui chargent les couches à la demande peuvent voir d’autres fichiers que l’analyseur.',
    layer_unreadable: (type) => `Une couche de type ${type} ne peut pas être lue.`,
    config_unreadable: (type) =>
      `La configuration d’une image est de type ${type} et ne peut pas être lue.`,
    not_an_image: (type) => `Ce n’est pas une image de conteneur, mais un artefact (${type}).`,
    empty: 'Ce n’est pas une image de conteneur : elle est vide.',
    artifact_files: (type) =>
      `Un artefact (${type}) contient des fichiers qui n’ont pas été analysés.`,
  },
};
