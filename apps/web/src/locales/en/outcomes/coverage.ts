import { chooser, counter } from '../../../i18n/count.ts';

const count = counter('en');
const form = chooser('en');

export const coverage = {
  title: 'Not covered by the scan',
  /** Why a scan does not cover all of an image, by kind. */
  gaps: {
    nothing_found:
      'No operating system and no packages were found, so there was nothing to compare with security advisories.',
    os_unrecognised:
      'The operating system was not recognised. Only packages of programming languages were scanned.',
    packages_missing: (os: string) =>
      `${os} was recognised, but none of its installed packages were found.`,
    release_unknown: (os: string) =>
      `The vulnerability database has no advisories for ${os}. Its packages were not checked.`,
    end_of_life: (os: string) =>
      `${os} has reached its end of life. Its advisories are no longer updated.`,
    rebuilt: (supplier: string) =>
      `According to the image, its packages were rebuilt by ${supplier}. Only the advisories of ${supplier} were used.`,
    third_party: (n: number, names: string) =>
      `${count(n, 'third-party package has', 'third-party packages have')} no advisories: ${names}`,
    java_index_missing:
      'The Java index has not been downloaded yet. Only Java archives that state their version were scanned.',
    java_archives_missed: (archives: string) =>
      `The Java index has not been downloaded yet. These Java archives do not state their version and were not scanned: ${archives}`,
    table_unverified: (n: number, layers: string) =>
      `The ${form(n, 'table', 'tables')} of contents of ${count(n, 'layer is', 'layers are')} not verified. Engines that pull lazily may see other files than the scanner: ${layers}`,
    packages_unjudged: (n: number, type: string, names: string) =>
      `${count(n, 'package', 'packages')} of the type ${type} ${form(n, 'was', 'were')} found, but the scanner has no advisories for this type: ${names}`,
    version_missing: (n: number, type: string, names: string) =>
      `${count(n, 'package', 'packages')} of the type ${type} ${form(n, 'has', 'have')} no version and could not be checked: ${names}`,
    database_unread: (system: string, paths: string) =>
      `The scanner does not read the packages of ${system}, which the image contains: ${paths}`,
    files_unread: (n: number, type: string, paths: string) =>
      `The scanner passed over ${count(n, 'file that names', 'files that name')} packages of the type ${type}: ${paths}`,
    archives_unknown: (n: number, paths: string) =>
      `${count(n, 'Java archive', 'Java archives')} could not be checked: ${form(n, 'it does not state its version and is', 'they do not state their versions and are')} not in the Java index: ${paths}`,
    layers_unlisted: (n: number, layers: string) =>
      `Not all files of ${count(n, 'layer', 'layers')} could be compared with the list of the scanner: ${layers}`,
    os_derived: (os: string, judgedAs: string) =>
      `The image names itself ${os}. Its packages were checked against the advisories of ${judgedAs}.`,
    os_unjudged: (os: string) =>
      `According to its configuration, the image runs on ${os}. The scanner checks Linux images only.`,
    os_unnamed:
      'The configuration of the image does not name an operating system, and none was recognised in its files.',
    scanner_warning: (message: string) =>
      `The scanner left something out and warned about it: ${message}`,
    foreign_index:
      'The image names a SOCI index, which was not compared with its layers. Engines that pull lazily may see other files than the scanner.',
    layer_unreadable: (type: string) => `A layer of the type ${type} cannot be read.`,
    config_unreadable: (type: string) =>
      `The configuration of an image has the type ${type} and cannot be read.`,
    not_an_image: (type: string) => `This is no container image but an artifact (${type}).`,
    empty: 'This is no container image: it is empty.',
    artifact_files: (type: string) => `An artifact (${type}) contains files that were not scanned.`,
  },
};
