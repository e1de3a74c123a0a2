/** How much of an image the scanner saw. Silence is only good news where it looked. */
import type { Coverage } from '@portcullis/domain';
import type { RawReport } from './raw-report.ts';

export interface ReportContext {
  platform: string | null;
  /** Java archives were left out for want of their index. */
  javaSkipped: boolean;
  /** False where the packages were cut from the report: then their absence means nothing. */
  packagesListed: boolean;
  /** Some layer brings something of an operating system. */
  hasOs: boolean;
  /** From the scanner's name of a layer (`diff_id`) to the registry's. */
  digestOf: ReadonlyMap<string, string>;
}

export function coverageOf(raw: RawReport, context: ReportContext): { coverage: Coverage; notes: string[] } {
  const results = raw.Results ?? [];
  const hasLanguages = results.some((result) => result.Class === 'lang-pkgs');
  const os = raw.Metadata?.OS;
  const java = context.javaSkipped ? [JAVA] : [];
  if (!os?.Family && !hasLanguages) return { coverage: 'none', notes: [NOTHING, ...java] };
  const notes = [...osNotes(raw, context), ...java];
  return { coverage: notes.length === 0 ? 'full' : 'partial', notes };
}

const NOTHING =
  'no operating system and no packages were found, so there was nothing to compare with the advisories';
const JAVA = 'Java archives were left out: the index that tells them apart has not been downloaded';

function osNotes(raw: RawReport, { hasOs, packagesListed }: ReportContext): string[] {
  const os = raw.Metadata?.OS;
  if (!os?.Family) {
    // A static program on `scratch` has no operating system to judge; one without its release file has.
    return hasOs ? ['the operating system was not recognised: only language packages were judged'] : [];
  }
  const name = `${os.Family} ${os.Name ?? ''}`.trim();
  const packages = (raw.Results ?? []).find((result) => result.Class === 'os-pkgs');
  if (!packages) return [`there are no advisories for ${name}: only language packages were judged`];
  const isEmpty = packagesListed && (packages.Packages ?? []).length === 0;
  return [
    ...(isEmpty ? [`${name} was recognised but none of its installed packages were found`] : []),
    ...(os.EOSL ? [`${name} is past its end of life: its advisories are no longer kept up`] : []),
  ];
}
