/** Says in the page's language what a scan did not cover. */
import type { CoverageGapView, VulnResultView } from '@portcullis/contract';
import type { Format, Messages } from '../../../i18n/messages.ts';

/** `words` is null where only the English note says it: a result of an older release. */
export interface GapSentence {
  words: string | null;
  note: string;
}

/** The gaps have the order of the notes. */
export function gapSentences(
  { notes, gaps = [] }: Pick<VulnResultView, 'notes' | 'gaps'>,
  t: Messages['coverage'],
  format: Pick<Format, 'colon'>,
): GapSentence[] {
  return notes.map((note, index) => {
    const gap = gaps.length === notes.length ? gaps[index] : undefined;
    return { note, words: gap ? onPlatform(gap) : null };
  });

  /** The platform is named where the scan covers several. */
  function onPlatform(gap: CoverageGapView): string | null {
    const words = gapWords(gap, t);
    if (words === null || gap.platform === null || !hasSeveralPlatforms(gaps)) return words;
    return `${gap.platform}${format.colon}${words}`;
  }
}

function hasSeveralPlatforms(gaps: readonly CoverageGapView[]): boolean {
  return new Set(gaps.map(({ platform }) => platform)).size > 1;
}

function gapWords(gap: CoverageGapView, t: Messages['coverage']): string | null {
  const texts = t.gaps;
  switch (gap.kind) {
    case 'other':
      return null;
    case 'packages_missing':
    case 'release_unknown':
    case 'end_of_life':
      return texts[gap.kind](gap.os);
    case 'rebuilt':
      return texts.rebuilt(gap.supplier);
    case 'third_party':
      return texts.third_party(gap.count, names(gap.packages, gap.count));
    case 'table_unverified':
    case 'layers_unlisted':
      return texts[gap.kind](gap.count, names(gap.layers, gap.count));
    case 'java_index_missing':
      return gap.archives.length === 0
        ? texts.java_index_missing
        : texts.java_archives_missed(gap.archives.join(', '));
    case 'layer_unreadable':
    case 'config_unreadable':
      return texts[gap.kind](gap.media_type);
    case 'not_an_image':
      return gap.artifact_type === null ? texts.empty : texts.not_an_image(gap.artifact_type);
    case 'artifact_files':
      return texts.artifact_files(gap.artifact_type ?? '');
    case 'packages_unjudged':
    case 'version_missing':
      return texts[gap.kind](gap.count, gap.package_type, names(gap.packages, gap.count));
    case 'database_unread':
      return texts.database_unread(gap.system, names(gap.paths, gap.count));
    case 'files_unread':
      return texts.files_unread(gap.count, gap.package_type, names(gap.paths, gap.count));
    case 'archives_unknown':
      return texts.archives_unknown(gap.count, names(gap.paths, gap.count));
    case 'os_derived':
      return texts.os_derived(gap.os, gap.judged_as);
    case 'os_unjudged':
      return gap.os === null ? texts.os_unnamed : texts.os_unjudged(gap.os);
    case 'scanner_warning':
      return texts.scanner_warning(gap.message);
    case 'nothing_found':
    case 'os_unrecognised':
    case 'foreign_index':
      return texts[gap.kind];
    // Kinds of a newer server are only in its notes.
    default:
      return null;
  }
}

/** The first ones; an ellipsis stands for the others. */
function names(first: readonly string[], count: number): string {
  return [...first, ...(count > first.length ? ['…'] : [])].join(', ');
}
