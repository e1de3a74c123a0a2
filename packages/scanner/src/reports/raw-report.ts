/** Schema of Trivy's JSON report (version 2): only the fields we need, all optional. */
import { z } from 'zod';

const text = z.string().nullish();
const Score = z.number().nullish();

export const RawCvss = z.object({
  V2Vector: text,
  V2Score: Score,
  V3Vector: text,
  V3Score: Score,
  V40Vector: text,
  V40Score: Score,
});
export type RawCvss = z.infer<typeof RawCvss>;

export const RawVulnerability = z.object({
  VulnerabilityID: z.string(),
  PkgName: z.string(),
  PkgPath: text,
  PkgIdentifier: z.object({ PURL: text }).nullish(),
  InstalledVersion: text,
  FixedVersion: text,
  Status: text,
  Layer: z.object({ Digest: text, DiffID: text }).nullish(),
  SeveritySource: text,
  PrimaryURL: text,
  Title: text,
  Description: text,
  References: z.array(z.string()).nullish(),
  Severity: text,
  CVSS: z.record(z.string(), RawCvss).nullish(),
  PublishedDate: text,
  LastModifiedDate: text,
});
export type RawVulnerability = z.infer<typeof RawVulnerability>;

export const RawPackage = z.object({
  Name: text,
  /** For an archive, its path in the image. */
  FilePath: text,
  Version: text,
  /** `root`: the program that others are parts of. */
  Relationship: text,
  Repository: z.object({ Class: text }).nullish(),
  /** Of the operating system. */
  Maintainer: text,
  /** Paths; too many to check each. */
  InstalledFiles: z.unknown().optional(),
  /** The first that has this package at this path. */
  Layer: z.object({ DiffID: text }).nullish(),
});

export const RawResult = z.object({
  Target: z.string(),
  Class: text,
  Type: text,
  Packages: z.array(RawPackage).nullish(),
  Vulnerabilities: z.array(RawVulnerability).nullish(),
});
export type RawResult = z.infer<typeof RawResult>;

export const RawOs = z.object({
  Family: text,
  Name: text,
  EOSL: z.boolean().nullish(),
  /** The vendor that rebuilt the packages, as the image claims. */
  Supplier: text,
  /** Ubuntu Pro. */
  extended: z.boolean().nullish(),
});
export type RawOs = z.infer<typeof RawOs>;

export const RawReport = z.object({
  SchemaVersion: z.literal(2),
  Trivy: z.object({ Version: text }).nullish(),
  ArtifactName: z.string(),
  Metadata: z
    .object({
      OS: RawOs.nullish(),
      DiffIDs: z.array(z.string()).nullish(),
    })
    .nullish(),
  Results: z.array(RawResult).nullish(),
});
export type RawReport = z.infer<typeof RawReport>;
