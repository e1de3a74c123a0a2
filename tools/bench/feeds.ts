/**
 * `npm run bench feeds [-- findings]`: judges a report by rules that ask both threat feeds, with as
 * many EPSS scores as are published. Prints the time of the first judgement of the process, whose
 * code is not compiled yet, and the median of later ones.
 */
import {
  CveTable,
  DEFAULT_POLICY,
  defaultPolicy,
  type Finding,
  type ReportFacts,
  standingOf,
  threatFeeds,
} from '@portcullis/domain';
import { median } from './figures.ts';

const SCORES = 303_000;
const EXPLOITED = 1_300;
const RUNS = 2_000;

const findings = Number(process.argv[2] ?? 900);
const now = new Date();

/** Ids of 25 years, as many in each. */
const entries = Array.from({ length: SCORES }, (_, at) => ({
  cve: (2_001 + (at % 25)) * 10 ** 10 + 1_000 + Math.floor(at / 25),
  value: at,
}));
const idOf = (at: number) => `CVE-${2_001 + (at % 25)}-${1_000 + Math.floor(at / 25)}`;
const about = { version: '1', publishedAt: now, checkedAt: now };
const feeds = threatFeeds([
  { kind: 'epss', ...about, entries: CveTable.of([...entries]) },
  { kind: 'kev', ...about, entries: CveTable.of(entries.slice(0, EXPLOITED)) },
]);

const step = Math.floor(SCORES / findings);
const facts: ReportFacts = {
  coverage: 'full',
  lacksThirdPartyAlone: false,
  artifactType: null,
  databaseAt: now.toISOString(),
  findings: Array.from(
    { length: findings },
    (_, at): Finding => ({
      id: idOf(at * step),
      severity: 'LOW',
      package: `package-${at}`,
      installedVersion: '1',
      fixedVersion: null,
      packageType: 'os',
      publishedAt: null,
    }),
  ),
};
const byDefault = defaultPolicy(DEFAULT_POLICY);
const [rule] = byDefault.rules;
const severities: Finding['severity'][] = ['LOW'];
const policy = {
  ...byDefault,
  rules: rule
    ? [
        { ...rule, severities, minEpss: 0.99 },
        { ...rule, severities, kev: 'only' as const },
      ]
    : [],
};
const image = { digest: 'sha256:a', repository: 'team/app', folder: 'team' };

function judge(): number {
  const started = performance.now();
  standingOf({
    ...{ facts, policy, waivers: [], feeds, image, now, sightedAt: now },
    ...{ signatures: null, authorities: new Map() },
  });
  return performance.now() - started;
}

const first = judge();
const later = Array.from({ length: RUNS }, judge).slice(RUNS / 2);
const ms = (value: number) => `${value.toFixed(2)} ms`;
process.stdout.write(`${findings} findings, ${SCORES} scores, ${EXPLOITED} exploited: `);
process.stdout.write(`${ms(first)} at first, then ${ms(median(later))}\n`);
