/**
 * Whether a package of the operating system is the distribution's. Trivy drops the language
 * packages that it has installed, which the distribution's advisories then cover: true of the
 * distribution's own packages, and of no others.
 */

export interface InstalledPackage {
  /** The family of the operating system, as Trivy names it. */
  family: string;
  maintainer: string;
  /** Trivy counts it as one of another maker, and judges what it has installed. */
  isThirdParty: boolean;
}

/** What Debian's own packages, and all of Ubuntu's, have as the address of the maintainer. */
const DEBIAN =
  /@(?:alioth-lists\.debian\.net|(?:[\w-]+\.)*(?:debian\.org|ubuntu\.com|canonical\.com))>?\s*$/i;
const MAINTAINERS: Readonly<Record<string, RegExp>> = { debian: DEBIAN, ubuntu: DEBIAN };

/** Where packages of Debian, Ubuntu and Alpine may install nothing (Debian Policy 9.1, abuild). */
const LOCAL = /^(?:opt|srv|home|root|usr\/local)\//;
const KEEPS_LOCAL_FREE = new Set(['debian', 'ubuntu', 'alpine']);

/** Trivy tells makers of RPM packages apart by their vendors. */
export function isOfDistribution(
  { family, maintainer, isThirdParty }: InstalledPackage,
  path: string,
): boolean {
  if (isThirdParty || (KEEPS_LOCAL_FREE.has(family) && LOCAL.test(path))) return false;
  return MAINTAINERS[family]?.test(maintainer) ?? true;
}
