/** Says in English what a scan did not cover, one line for each gap. */
import type { CoverageGap, UnseenGap } from '@portcullis/domain';

/** What a scanned image may lack. */
export type SeenGap = Exclude<CoverageGap, { kind: UnseenGap['kind'] }>;

export function noteOf(gap: SeenGap): string {
  switch (gap.kind) {
    case 'packages_unjudged':
      return `the scanner lists packages of the type ${gap.packageType} but has no advisories for them: ${listOf(gap.packages, gap.count)}`;
    case 'version_missing':
      return `packages of the type ${gap.packageType} have no version to compare: ${listOf(gap.packages, gap.count)}`;
    case 'database_unread':
      return `the scanner does not read the packages of ${gap.system}: ${listOf(gap.paths, gap.count)}`;
    case 'files_unread':
      return `the scanner passed over files that name packages of the type ${gap.packageType}: ${listOf(gap.paths, gap.count)}`;
    case 'archives_unknown':
      return `Java archives neither state a version nor are in the index, so they were not judged: ${listOf(gap.paths, gap.count)}`;
    case 'layers_unlisted':
      return `not all files of these layers could be compared with the scanner's list: ${listOf(gap.layers, gap.count)}`;
    case 'os_derived':
      return `the image names itself ${gap.os}, but it was judged by the advisories of ${gap.judgedAs}`;
    case 'os_unjudged':
      return gap.os === null
        ? 'the configuration names no operating system, and none was recognised in the files'
        : `the configuration says that the image is for ${gap.os}: only images for Linux are judged`;
    case 'scanner_warning':
      return `the scanner warned: ${gap.message}`;
    case 'nothing_found':
      return 'no operating system and no packages were found, so there was nothing to compare with the advisories';
    case 'os_unrecognised':
      return 'the operating system was not recognised: only language packages were judged';
    case 'packages_missing':
      return `${gap.os} was recognised but none of its installed packages were found`;
    case 'release_unknown':
      return `the vulnerability database has no advisories for ${gap.os}: its packages were not judged`;
    case 'end_of_life':
      return `${gap.os} is past its end of life: its advisories are no longer kept up`;
    case 'rebuilt':
      return `the image says that ${gap.supplier} rebuilt its packages: only the advisories of ${gap.supplier} were asked`;
    case 'third_party':
      return thirdPartyNote(gap);
    case 'java_index_missing':
      return javaNote(gap);
    case 'table_unverified':
      return tableNote(gap);
    case 'foreign_index':
      return 'the image names a SOCI index, which is not compared with its layers: engines that pull lazily may see other files';
  }
}

function thirdPartyNote({
  count,
  packages,
}: Extract<CoverageGap, { kind: 'third_party' }>): string {
  const more = count > packages.length ? ', …' : '';
  const subject =
    count === 1 ? '1 package of another maker has' : `${count} packages of other makers have`;
  return `${subject} no advisories: ${packages.join(', ')}${more}`;
}

function javaNote({ archives }: Extract<CoverageGap, { kind: 'java_index_missing' }>): string {
  const named = archives.length > 0 ? `, and not ${archives.join(', ')}` : '';
  return `the index of Java archives has not been downloaded: only archives that name their version were judged${named}`;
}

function tableNote({ count, layers }: Extract<CoverageGap, { kind: 'table_unverified' }>): string {
  const more = count > layers.length ? ', …' : '';
  const subject =
    count === 1
      ? 'the table of contents of 1 layer is'
      : `the tables of contents of ${count} layers are`;
  return `${subject} not verified, so engines that pull lazily may see other files than the scanner: ${layers.join(', ')}${more}`;
}

/** The first ones; an ellipsis stands for the others. */
function listOf(first: readonly string[], count: number): string {
  return [...first, ...(count > first.length ? ['…'] : [])].join(', ');
}
