/** Parses stored reports of full coverage, and those of artifacts. */
import { type ScanReport, SEVERITIES } from '@portcullis/domain';
import { z } from 'zod';

const text = z.string().nullable();
const Severity = z.enum(SEVERITIES);

const Package = z.object({
  name: z.string(),
  packageType: z.enum(['os', 'library']).optional(),
  installedVersion: z.string(),
  fixedVersion: text,
  severity: Severity,
  severitySource: text,
  status: z.string(),
  target: z.string(),
  path: text,
  purl: text,
  layerDigest: text,
  platform: text,
});

const Vulnerability = z.object({
  id: z.string(),
  severity: Severity,
  title: text,
  cvssScore: z.number().nullable(),
  cvssVector: text,
  cvssSource: text,
  primaryUrl: text,
  publishedAt: text,
  packages: z.array(Package),
});

const Target = z.object({
  target: z.string(),
  class: z.string(),
  type: z.string(),
  counts: z.record(Severity, z.number()),
});

export const FullReport = z.object({
  coverage: z.literal('full'),
  notes: z.array(z.string()),
  os: z.object({ family: z.string(), name: z.string(), eosl: z.boolean() }).nullable(),
  targets: z.array(Target),
  vulnerabilities: z.array(Vulnerability),
  baseLayers: z.array(z.string()).optional(),
  scanner: z.object({ name: z.string(), version: z.string(), dbUpdatedAt: text }),
}) satisfies z.ZodType<ScanReport>;

export const ArtifactReport = FullReport.extend({
  artifactType: z.string(),
  coverage: z.literal('none'),
  gaps: z.array(
    z.union([
      z.object({ kind: z.literal('not_an_image'), type: text, platform: text }),
      z.object({ kind: z.literal('other'), platform: text }),
    ]),
  ),
}) satisfies z.ZodType<ScanReport>;
