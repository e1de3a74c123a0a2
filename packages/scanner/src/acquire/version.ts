/** Which Trivy versions are accepted, and which Go versions can build ours. */
export const PINNED_VERSION = '0.74.0';

/**
 * 0.68 is the first version that opens the vulnerability database read-only, so that several scans
 * can share it.
 */
const OLDEST: readonly [number, number] = [0, 68];

/**
 * These releases were published by an attacker in March 2026: CVE-2026-33634, GHSA-69fq-xp46-6x23.
 */
const MALICIOUS = ['0.69.4', '0.69.5', '0.69.6'];

/** `Version: 0.74.0` → `0.74.0`; null for a build without a number (`dev`) or any other program. */
export function parseTrivyVersion(output: string): string | null {
  return /^Version: v?(\d+\.\d+\.\d+)\s*$/m.exec(output)?.[1] ?? null;
}

export type VersionFault = 'unknown' | 'malicious' | 'too_old';

/** Why a version is refused; null where it is accepted. */
export function versionFault(version: string | null): VersionFault | null {
  const [major, minor] = numbers(version ?? '');
  if (version === null || major === undefined || minor === undefined) return 'unknown';
  if (MALICIOUS.includes(version)) return 'malicious';
  return major > OLDEST[0] || minor >= OLDEST[1] ? null : 'too_old';
}

/** `go version go1.26.3 linux/amd64` → whether this compiler can build the pinned Trivy version. */
export function goBuildsPinned(output: string): boolean {
  const match = /\bgo(\d+)\.(\d+)(?:\.(\d+))?(?=\s|$)/.exec(output);
  if (!match) return false;
  const [major, minor, patch] = numbers(`${match[1]}.${match[2]}.${match[3] ?? 0}`);
  return major === 1 && minor === 26 && (patch ?? 0) >= 3;
}

function numbers(version: string): number[] {
  return version.split('.').map(Number);
}
