/**
 * Reads and updates CHANGELOG.md in the form of https://keepachangelog.com: its sections, and how
 * *Unreleased* becomes a version.
 */

/** The text below a version's heading; null where there is none. */
export function sectionOf(changelog: string, version: string): string | null {
  const heading = `## [${version}]`;
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => line === heading || line.startsWith(`${heading} `));
  if (start === -1) return null;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith('## ') || /^\[[^\]]+\]: /.test(line));
  return rest
    .slice(0, end === -1 ? rest.length : end)
    .join('\n')
    .trim();
}

/** Makes the unreleased section that of `version`. @param date such as 2026-11-22 */
export function released(changelog: string, version: string, date: string): string {
  const heading = '## [Unreleased]\n';
  if (!changelog.includes(heading)) throw new Error('CHANGELOG.md has no heading [Unreleased]');
  return changelog.replace(heading, `${heading}\n## [${version}] - ${date}\n`);
}
