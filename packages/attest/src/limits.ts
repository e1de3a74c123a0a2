/**
 * What is read and verified of one digest at most. Any account that may push can add signatures, so
 * the cost is bounded before it is spent; what is left out is counted.
 */
export const LIMITS = {
  /** Signatures of one digest. */
  signatures: 50,
  /** Manifests of referrers that are read to find them: not each one is a signature. */
  manifests: 100,
  /** Layers of one manifest, as in cosign: a tag holds one for each signature. */
  layers: 1000,
  /** Of one signature, with its payload: an attestation holds a whole list of packages. */
  signatureBytes: 4 * 1024 * 1024,
  /** Of one signature of the Notary Project, which holds certificates and no statement. */
  notaryBytes: 128 * 1024,
  /** Of all signatures of one digest. */
  totalBytes: 32 * 1024 * 1024,
  /** Entries of transparency logs, and timestamps, in one signature. Programs write one of each. */
  witnesses: 4,
  /** Of an entry of a log. */
  logEntryBytes: 256 * 1024,
  /** Of a checkpoint of a log: each of its lines may cost the verification of a signature. */
  checkpointBytes: 4 * 1024,
  /** Of one certificate. */
  certificateBytes: 8 * 1024,
  /** Certificates of one chain. */
  chain: 8,
  /** Of one timestamp with its certificates. */
  timestampBytes: 16 * 1024,
  /** What an attestation is about. */
  subjects: 1024,
} as const;
