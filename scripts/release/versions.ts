/**
 * Lists where the version is written. package.json is the source; `npm run release -- version`
 * updates the others.
 */
export interface VersionPlace {
  file: string;
  /** Captures the version in its first group. */
  pattern: RegExp;
}

const CHART = 'deploy/helm/portcullis/Chart.yaml';

export const VERSION_PLACES: readonly VersionPlace[] = [
  { file: 'package.json', pattern: /^ {2}"version": "([^"]+)"/m },
  { file: CHART, pattern: /^version: (\S+)/m },
  { file: CHART, pattern: /^appVersion: (\S+)/m },
  { file: CHART, pattern: /\/portcullis-api:(\S+)/ },
  { file: CHART, pattern: /\/portcullis-worker:(\S+)/ },
  { file: 'Dockerfile.api', pattern: /^ARG VERSION=(\S+)/m },
  { file: 'Dockerfile.worker', pattern: /^ARG VERSION=(\S+)/m },
  {
    file: 'packages/runtime/src/env-kinds.ts',
    pattern: /APP_VERSION: z\.string\(\)\.default\('([^']+)'\)/,
  },
  { file: 'apps/pcs/package.json', pattern: /^ {2}"version": "([^"]+)"/m },
  { file: 'apps/pcs/src/config.ts', pattern: /^const VERSION = '([^']+)'/m },
  { file: 'apps/cli/src/config.ts', pattern: /APP_VERSION: z\.string\(\)\.default\('([^']+)'\)/ },
];

/** Artifact Hub's annotation of the chart. */
const PRERELEASE = /(artifacthub\.io\/prerelease: )"[^"]*"/;

/** https://semver.org, without build metadata, which an image tag cannot contain. */
const SEMVER =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;
export const isVersion = (text: string): boolean => SEMVER.test(text);

type Files = ReadonlyMap<string, string>;

/** The version at each place, in their order; null where the line is missing. */
export function versionsIn(files: Files): (string | null)[] {
  return VERSION_PLACES.map(
    ({ file, pattern }) => pattern.exec(files.get(file) ?? '')?.[1] ?? null,
  );
}

export function withVersion(files: Files, version: string): Map<string, string> {
  const result = new Map(files);
  for (const { file, pattern } of VERSION_PLACES) {
    const text = result.get(file) ?? '';
    result.set(
      file,
      text.replace(pattern, (line, old: string) => line.replace(old, version)),
    );
  }
  const chart = result.get(CHART) ?? '';
  result.set(CHART, chart.replace(PRERELEASE, `$1"${version.includes('-')}"`));
  return result;
}
