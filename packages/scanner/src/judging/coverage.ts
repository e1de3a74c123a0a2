/**
 * Coverage: how much of an image Trivy judged. No findings are good news only where it looked and
 * had advisories to compare.
 */
import type { Coverage, UnjudgedGap } from '@portcullis/domain';
import { bucketOf, type DetectionLog } from '../database/releases.ts';
import type { RawOs, RawReport } from '../reports/raw-report.ts';
import { noteOf, type SeenGap } from './coverage-notes.ts';
import type { PackageList } from './package-list.ts';

export interface ReportContext {
  platform: string | null;
  packages: PackageList;
  /**
   * The releases that the database has advisories for, by their buckets; null where the list cannot
   * be read.
   */
  buckets: ReadonlySet<string> | null;
  log: DetectionLog;
  /**
   * The image's Java archives, where they were judged without the Java index; null where it existed
   * or was not needed.
   */
  archives: readonly string[] | null;
  /** Some layer contains files of an operating system. */
  hasOs: boolean;
  /** Layers for which an engine might create other files than those that Trivy reads. */
  unverified: readonly string[];
  /** The image names a SOCI index, from which an engine may create the files of its layers. */
  isIndexed: boolean;
  /** What Trivy did not judge, whatever its database has (unjudged-gaps.ts). */
  unjudged: readonly UnjudgedGap[];
  /** The layers of the base image, by the registry's digests. */
  baseLayers: readonly string[];
  /** Maps Trivy's name of a layer (`diff_id`) to the registry's digest. */
  digestOf: ReadonlyMap<string, string>;
}

export interface CoverageFacts {
  coverage: Coverage;
  notes: string[];
  gaps: SeenGap[];
}

type Gap = SeenGap extends infer One
  ? One extends SeenGap
    ? Omit<One, 'platform'>
    : never
  : never;

export function coverageOf(raw: RawReport, context: ReportContext): CoverageFacts {
  const found: Gap[] = [
    ...packageGaps(raw, context),
    ...javaGaps(context),
    ...tableGaps(context),
    ...context.unjudged,
  ];
  const gaps = found.map((gap) => ({ ...gap, platform: context.platform }));
  const coverage = gaps.some(({ kind }) => kind === 'nothing_found') ? 'none' : 'partial';
  return { coverage: gaps.length === 0 ? 'full' : coverage, gaps, notes: gaps.map(noteOf) };
}

function packageGaps(raw: RawReport, context: ReportContext): Gap[] {
  const os = raw.Metadata?.OS;
  if (os?.Family) return osGaps(raw, os, context);
  const hasLanguages = (raw.Results ?? []).some((result) => result.Class === 'lang-pkgs');
  if (!hasLanguages) return [{ kind: 'nothing_found' }];
  // A static program on `scratch` has no operating system to judge; an image without its release
  // file has one.
  return context.hasOs ? [{ kind: 'os_unrecognised' }] : [];
}

function osGaps(raw: RawReport, os: RawOs, context: ReportContext): Gap[] {
  const name = `${os.Family} ${os.Name ?? ''}`.trim();
  const isListed = (raw.Results ?? []).some((result) => result.Class === 'os-pkgs');
  const isKnown = isListed && hasAdvisories(os, context);
  return [
    ...(isKnown ? [] : [{ kind: 'release_unknown' as const, os: name }]),
    ...(isListed && context.packages.os === 0
      ? [{ kind: 'packages_missing' as const, os: name }]
      : []),
    ...(os.EOSL ? [{ kind: 'end_of_life' as const, os: name }] : []),
    // The only vendor whose advisories Trivy uses instead of the operating system's, not in
    // addition to them.
    ...(os.Supplier === 'rapidfort' ? [{ kind: 'rebuilt' as const, supplier: 'RapidFort' }] : []),
    ...thirdPartyGaps(os, context.packages),
  ];
}

function hasAdvisories(os: RawOs, { buckets, log }: ReportContext): boolean {
  const bucket = bucketOf(os, log);
  return bucket !== null && buckets?.has(bucket) === true;
}

const NAMED = 5;

/** Echo's advisories also describe packages of other vendors. */
function thirdPartyGaps(os: RawOs, { thirdParty }: PackageList): Gap[] {
  if (thirdParty.length === 0 || os.Family === 'echo') return [];
  const packages = [...new Set(thirdParty)].sort().slice(0, NAMED);
  return [{ kind: 'third_party', count: thirdParty.length, packages }];
}

function javaGaps({ archives, packages }: ReportContext): Gap[] {
  if (archives === null) return [];
  const known = new Set(packages.archives);
  return [
    {
      kind: 'java_index_missing',
      archives: archives.filter((path) => !known.has(path)).slice(0, NAMED),
    },
  ];
}

function tableGaps({ unverified, isIndexed }: ReportContext): Gap[] {
  const layers = [...new Set(unverified)];
  return [
    ...(layers.length > 0
      ? [
          {
            kind: 'table_unverified' as const,
            count: layers.length,
            layers: layers.slice(0, NAMED),
          },
        ]
      : []),
    ...(isIndexed ? [{ kind: 'foreign_index' as const }] : []),
  ];
}
