/** Preconditions of a release, as a pure function of what was read. */
import { type BaseName, type Bases, unpinned } from '../bases.ts';
import { sectionOf } from './changelog.ts';
import { isVersion, VERSION_PLACES } from './versions.ts';

export interface ReleaseFacts {
  /** In the order of `VERSION_PLACES`. */
  versions: readonly (string | null)[];
  changelog: string;
  bases: Bases;
  /** Output of `git status --porcelain`. */
  changes: string;
  /** The tags of the checked-out commit. */
  tags: readonly string[];
}

/** One sentence per fault; empty where a release may be made. */
export function releaseFaults({
  versions,
  changelog,
  bases,
  changes,
  tags,
}: ReleaseFacts): string[] {
  const version = versions[0] ?? '';
  return [
    ...(isVersion(version) ? [] : [`package.json has no semantic version: ${version || 'none'}`]),
    ...versions.flatMap((each, at) => (each === version ? [] : [otherVersion(each, at)])),
    ...changelogFaults(changelog, version),
    ...unpinned(bases).map(unpinnedBase),
    ...(changes === '' ? [] : ['the checkout has changes that are not committed']),
    ...(tags.includes(`v${version}`) ? [] : [`the commit has no tag v${version}`]),
  ];
}

function otherVersion(version: string | null, at: number): string {
  const file = VERSION_PLACES[at]?.file;
  const found = version === null ? 'has no version where one is looked for' : `says ${version}`;
  return `${file} ${found}; run npm run release -- version`;
}

function changelogFaults(changelog: string, version: string): string[] {
  const section = sectionOf(changelog, version);
  if (section === null) return [`CHANGELOG.md has no section [${version}]`];
  return section === '' ? [`the section [${version}] of CHANGELOG.md is empty`] : [];
}

function unpinnedBase(name: BaseName): string {
  return `the base image ${name} has no digest; run npm run bases on a machine that reaches its registry`;
}
