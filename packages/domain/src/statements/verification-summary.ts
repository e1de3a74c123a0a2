/**
 * The verdict about an image as a verification summary (https://slsa.dev/spec/v1.1/verification_summary),
 * which admission controllers read.
 */
import { issuerOf, nameOf, type StatedBy, type StatedImage } from './statement.ts';

export interface StatedVerdict {
  passes: boolean;
  /** Why it does not pass. */
  code: string | null;
  policy: { name: string; version: string; digest: string };
  /** Build time of the vulnerability database. */
  databaseAt: string | null;
  /** Ids of the waivers that cover what would block it. */
  waivers: readonly string[];
  /** When it was judged. */
  at: Date;
}

export function verificationSummary(image: StatedImage, verdict: StatedVerdict, by: StatedBy) {
  const { passes, code, policy, databaseAt, waivers, at } = verdict;
  const database = {
    uri: 'urn:portcullis:vulnerability-database',
    annotations: { built_at: databaseAt },
  };
  return {
    verifier: { id: issuerOf(by), version: { portcullis: by.version } },
    timeVerified: at.toISOString(),
    resourceUri: `${nameOf(image, by)}@${image.digest}`,
    policy: {
      uri: `${issuerOf(by)}#policy=${encodeURIComponent(policy.name)}&version=${encodeURIComponent(policy.version)}`,
      digest: { sha256: policy.digest },
    },
    inputAttestations: [
      ...(databaseAt === null ? [] : [database]),
      ...waivers.map((id) => ({ uri: `urn:uuid:${id}`, annotations: { kind: 'waiver' } })),
    ],
    verificationResult: passes ? 'PASSED' : 'FAILED',
    verifiedLevels: [],
    slsaVersion: '1.1',
    ...(code !== null && { code }),
  };
}
