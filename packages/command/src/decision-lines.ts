/** A decision of the gate for people: the outcome, then each step that led to it. */
import type { ExplainedImage } from '@portcullis/contract';
import { countText } from './count-text.ts';
import { signatureLines } from './signature-lines.ts';

type Finding = ExplainedImage['blocking'][number];
type Rule = ExplainedImage['policy']['rules'][number];

export function decisionLines(decision: ExplainedImage): string[] {
  const { repository, requested_digest: digest } = decision;
  return [
    `${repository}@${digest}: ${outcomeOf(decision)}`,
    ...table([
      ['door', `${decision.door}, mode ${decision.mode} of the folder ${decision.folder}`],
      ['account', decision.bypasses ? 'may bypass the gate' : 'may not bypass the gate'],
      ['decided by', decidedBy(decision)],
      ['report', reportOf(decision)],
      ['policy', policyOf(decision)],
      ...decision.blocking.flatMap((finding) => blockingRows(finding, decision.policy.rules)),
      ...moreRow(decision.blocking_total - decision.blocking.length, 'blocking'),
      ...decision.waived.map(
        (finding): Row => [
          'waived',
          `${findingText(finding)}: waiver ${finding.waiver} until ${finding.until}`,
        ],
      ),
      ...moreRow(decision.waived_total - decision.waived.length, 'waived'),
      ...(decision.warned_total > 0 ? [['warnings', String(decision.warned_total)] as Row] : []),
      ...decision.missing_feeds.map(
        (feed): Row => ['feed', `${feed} is missing or too old: its terms match everything`],
      ),
      ...(decision.waits_until === null
        ? []
        : [['age', `too young until ${decision.waits_until}`] as Row]),
      ...(decision.age_waiver === null
        ? []
        : [
            [
              'age',
              `waiver ${decision.age_waiver.waiver} until ${decision.age_waiver.until}`,
            ] as Row,
          ]),
      ...signatureLines(decision).map((line): Row => ['signed', line]),
      ['grace', graceOf(decision)],
      ...decision.platforms.map(
        (platform): Row => [
          'platform',
          `${platform.platform ?? 'unknown'} ${platform.digest}: ${outcomeOf(platform)}`,
        ],
      ),
    ]),
  ];
}

type Row = readonly [label: string, text: string];

function table(rows: readonly Row[]): string[] {
  return rows.map(([label, text]) => `  ${label.padEnd(11)} ${text}`);
}

type Outcome = Pick<ExplainedImage, 'outcome' | 'because' | 'code' | 'until'>;

const BECAUSE = {
  passes: 'it passes',
  mode: 'the mode of the folder refuses nothing',
  grace: 'of the grace period',
  bypass: 'the account may bypass the gate',
};

function outcomeOf({ outcome, because, code, until }: Outcome): string {
  const held = code === null ? '' : ` (${code})`;
  if (because === null) return `${outcome}${held}`;
  return `${outcome}, because ${BECAUSE[because]}${until === null ? '' : ` until ${until}`}${held}`;
}

function decidedBy({ digest, requested_digest: requested, kind }: ExplainedImage): string {
  return digest === requested ? `this ${kind}` : `the ${kind} ${digest}`;
}

function reportOf({ report, last_scan_failed: failed, verdict }: ExplainedImage): string {
  const note = failed ? '; the last scan failed' : '';
  if (report === null) return `none${note}`;
  const { scanner, scanner_version: version, scanned_at: at, database_at: database } = report;
  return `${verdict ?? 'no verdict'}, ${scanner} ${version} of ${at}, database of ${database ?? 'unknown date'}${note}`;
}

function policyOf({ policy: { name, version } }: ExplainedImage): string {
  return `"${name}", version ${version}`;
}

function blockingRows(finding: Finding, rules: readonly Rule[]): Row[] {
  const rule = rules.find(({ position }) => position === finding.rule);
  return [
    ['blocking', findingText(finding)],
    ['', `rule ${finding.rule + 1}: ${rule === undefined ? '' : ruleOf(rule)}`],
    ...finding.waivers.map(({ waiver, miss }): Row => ['', `waiver ${waiver}: ${MISSES[miss]}`]),
  ];
}

const MISSES = {
  not_approved: 'it is not approved',
  expired: 'it has expired',
  package: 'it is for another package',
  package_version: 'it is for another version',
  digest: 'it is for another image',
  folder: 'it is for another folder',
  repository: 'it is for other repositories',
};

function ruleOf(rule: Rule): string {
  return [
    `${rule.action} ${rule.severities.join(', ')}`,
    ...(rule.fixable === 'only' ? ['with a fix'] : []),
    ...(rule.kev === 'only' ? ['in KEV'] : []),
    ...(rule.min_epss === null ? [] : [`EPSS from ${rule.min_epss}`]),
    ...(rule.min_age_days === null ? [] : [`published ${countText(rule.min_age_days, 'day')} ago`]),
    ...(rule.package_types === 'all' ? [] : [`packages of kind ${rule.package_types}`]),
  ].join('; ');
}

interface Named
  extends Pick<
    Finding,
    'vulnerability' | 'severity' | 'package' | 'installed_version' | 'fixed_version'
  > {
  other_packages_total?: number;
}

/** `HIGH CVE-2026-1 in openssl 3.0.1 and 1 more package, fixed in 3.0.2`. */
export function findingText(finding: Named): string {
  const { vulnerability, severity, package: name, installed_version, fixed_version } = finding;
  const { other_packages_total: others = 0 } = finding;
  const more = others === 0 ? '' : ` and ${countText(others, 'more package')}`;
  const fix = fixed_version === null ? 'no fix yet' : `fixed in ${fixed_version}`;
  return `${severity} ${vulnerability} in ${name} ${installed_version}${more}, ${fix}`;
}

function moreRow(more: number, what: string): Row[] {
  return more > 0 ? [['', `${more} more ${what}`]] : [];
}

function graceOf(decision: ExplainedImage): string {
  const { passed_at: passed, blocked_at: blocked, policy } = decision;
  const days = countText(policy.grace_days, 'day');
  if (passed === null) return `${days}; it never passed in this folder`;
  return `${days}; has passed since ${passed}${blocked === null ? '' : `, blocked since ${blocked}`}`;
}
