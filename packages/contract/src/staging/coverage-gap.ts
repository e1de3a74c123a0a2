/** Why a scan did not judge all of an image, for programs; `notes` say the same in English. */
import { z } from 'zod';

/** Null for a single image. */
const PLATFORM = { platform: z.string().nullable() };

/** Of the release of the operating system. */
const OfRelease = z.strictObject({
  kind: z.enum(['packages_missing', 'release_unknown', 'end_of_life']),
  ...PLATFORM,
  /** Such as `debian 12.5`. */
  os: z.string(),
});

const Bare = z.strictObject({
  /** `other`: a result of an older release, for which only the notes say why. */
  kind: z.enum(['nothing_found', 'os_unrecognised', 'foreign_index', 'other']),
  ...PLATFORM,
});

const Rebuilt = z.strictObject({
  kind: z.literal('rebuilt'),
  ...PLATFORM,
  supplier: z.string(),
});

const ThirdParty = z.strictObject({
  kind: z.literal('third_party'),
  ...PLATFORM,
  count: z.number().int(),
  /** The first of them by name. */
  packages: z.array(z.string()),
});

const JavaIndexMissing = z.strictObject({
  kind: z.literal('java_index_missing'),
  ...PLATFORM,
  /** The first of the archives that were not judged. */
  archives: z.array(z.string()),
});

const OfLayers = z.strictObject({
  kind: z.enum(['table_unverified', 'layers_unlisted']),
  ...PLATFORM,
  count: z.number().int(),
  /** The first of them. */
  layers: z.array(z.string()),
});

const Unreadable = z.strictObject({
  kind: z.enum(['layer_unreadable', 'config_unreadable']),
  ...PLATFORM,
  media_type: z.string(),
});

const PackagesUnjudged = z.strictObject({
  kind: z.enum(['packages_unjudged', 'version_missing']),
  ...PLATFORM,
  /** As the scanner names it, such as `conda-pkg`. */
  package_type: z.string(),
  count: z.number().int(),
  /** The first of them by name. */
  packages: z.array(z.string()),
});

const DatabaseUnread = z.strictObject({
  kind: z.literal('database_unread'),
  ...PLATFORM,
  /** What keeps the database, such as `pacman`. */
  system: z.string(),
  count: z.number().int(),
  /** The first of its files. */
  paths: z.array(z.string()),
});

const FilesUnread = z.strictObject({
  kind: z.literal('files_unread'),
  ...PLATFORM,
  /** As the scanner names it, such as `composer-vendor`. */
  package_type: z.string(),
  count: z.number().int(),
  /** The first of them. */
  paths: z.array(z.string()),
});

const ArchivesUnknown = z.strictObject({
  kind: z.literal('archives_unknown'),
  ...PLATFORM,
  count: z.number().int(),
  /** The first of them. */
  paths: z.array(z.string()),
});

const OsDerived = z.strictObject({
  kind: z.literal('os_derived'),
  ...PLATFORM,
  /** As the image names itself, such as `devuan`. */
  os: z.string(),
  /** The operating system whose advisories were used. */
  judged_as: z.string(),
});

const OsUnjudged = z.strictObject({
  kind: z.literal('os_unjudged'),
  ...PLATFORM,
  /** Null where the configuration names none. */
  os: z.string().nullable(),
});

const ScannerWarning = z.strictObject({
  kind: z.literal('scanner_warning'),
  ...PLATFORM,
  /** In the scanner's words. */
  message: z.string(),
});

const NoImage = z.strictObject({
  kind: z.enum(['not_an_image', 'artifact_files']),
  ...PLATFORM,
  /** Null where there is nothing in it. */
  artifact_type: z.string().nullable(),
});

export const CoverageGapView = z.union([
  Bare,
  OfRelease,
  Rebuilt,
  ThirdParty,
  JavaIndexMissing,
  OfLayers,
  Unreadable,
  NoImage,
  PackagesUnjudged,
  DatabaseUnread,
  FilesUnread,
  ArchivesUnknown,
  OsDerived,
  OsUnjudged,
  ScannerWarning,
]);
export type CoverageGapView = z.infer<typeof CoverageGapView>;
