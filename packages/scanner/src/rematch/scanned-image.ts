/**
 * What a re-match needs of a scan besides the analyses of the layers: the facts that Trivy's server
 * does not answer with. All of them depend on the image and on Trivy's version, none on the
 * vulnerability database.
 */
import { z } from 'zod';
import type { Unseen } from '../reports/report.ts';
import { PROFILE } from '../scan/stored-scan.ts';

const text = z.string().nullable();
const Key = z.string().regex(/^fanal::(?:blob|artifact)::sha256:[0-9a-f]{64}$/);

const ScannedLayer = z.object({
  /** Key of its analysis in Redis. */
  key: Key,
  diffId: z.string(),
  /** The layer's digest in the image's manifest. */
  name: z.string(),
});

const Names = z.array(z.string());
const UnjudgedGap = z.union([
  z.object({
    kind: z.enum(['packages_unjudged', 'version_missing']),
    packageType: z.string(),
    count: z.number(),
    packages: Names,
  }),
  z.object({
    kind: z.literal('database_unread'),
    system: z.string(),
    count: z.number(),
    paths: Names,
  }),
  z.object({
    kind: z.literal('files_unread'),
    packageType: z.string(),
    count: z.number(),
    paths: Names,
  }),
  z.object({ kind: z.literal('archives_unknown'), count: z.number(), paths: Names }),
  z.object({ kind: z.literal('layers_unlisted'), count: z.number(), layers: Names }),
  z.object({ kind: z.literal('os_derived'), os: z.string(), judgedAs: z.string() }),
  z.object({ kind: z.literal('os_unjudged'), os: text }),
  z.object({ kind: z.literal('scanner_warning'), message: z.string() }),
]);

/** One platform of the image. */
const ScannedPart = z.object({
  digest: z.string(),
  platform: text,
  /** Key of the configuration's analysis in Redis. */
  artifact: Key,
  /** From the base layer up. */
  layers: z.array(ScannedLayer),
  hasOs: z.boolean(),
  unverified: z.array(z.string()),
  isIndexed: z.boolean(),
  baseLayers: z.array(z.string()),
  /** Found in the scan: the server's answer has less of a package. */
  unjudged: z.array(UnjudgedGap),
  log: z.object({ alpineRepository: text, offEolList: z.boolean() }),
  /** Set where the scan had to do without the Java index. */
  archives: z.array(z.string()).nullable(),
  /** Null where none was recognised. */
  os: z
    .object({ family: z.string(), name: z.string(), eosl: z.boolean(), extended: z.boolean() })
    .nullable(),
});
export type ScannedPart = z.infer<typeof ScannedPart>;

const UnseenGap = z.union([
  z.object({ kind: z.enum(['layer_unreadable', 'config_unreadable']), mediaType: z.string() }),
  z.object({ kind: z.literal('not_an_image'), type: text }),
  z.object({ kind: z.literal('artifact_files'), type: z.string() }),
  z.object({ kind: z.literal('other') }),
]);

export const ScannedImage = z.object({
  parts: z.array(ScannedPart).min(1),
  /** Notes on what no scan can read. */
  unseen: z.array(z.string()),
  /** The same for code, in the same order; absent in what older releases stored. */
  gaps: z.array(UnseenGap).optional(),
});
export type ScannedImage = z.infer<typeof ScannedImage>;

/**
 * Analyses by another Trivy may be other analyses, and reports by other rules other reports: an
 * image that was scanned with another profile is scanned again.
 */
export function profileOf(scannerVersion: string): string {
  return `${scannerVersion}-${PROFILE}`;
}

export function unseenIn({ unseen, gaps = [] }: ScannedImage): Unseen[] {
  return unseen.map((note, index) => ({ note, gap: gaps[index] ?? { kind: 'other' } }));
}

export function keysOf({ parts }: ScannedImage): string[] {
  return [
    ...new Set(
      parts.flatMap(({ artifact, layers }) => [artifact, ...layers.map(({ key }) => key)]),
    ),
  ];
}

const ARTIFACT = 'fanal::artifact::';

/**
 * The keys of an image's analyses from the reads of its scan: Trivy first looks up each layer, from
 * the base up, then the configuration. Null where the reads are others.
 */
export function keysInReads(
  reads: readonly string[] | null,
  diffIds: readonly string[],
): (Pick<ScannedPart, 'artifact'> & { layers: string[] }) | null {
  const at = reads?.findIndex((key) => key.startsWith(ARTIFACT)) ?? -1;
  const artifact = reads?.[at];
  const layers = reads?.slice(0, Math.max(at, 0)) ?? [];
  if (artifact === undefined || layers.length !== diffIds.length) return null;
  return [artifact, ...layers].every((key) => Key.safeParse(key).success)
    ? { artifact, layers }
    : null;
}
