/** Why an image is refused, in the one line that clients print behind `denied:`. */
import {
  byVulnerability,
  countBySeverity,
  type JudgedSubject,
  type JudgedVulnerability,
  type MatchedFinding,
  NOT_VERIFIED_TEXT,
  onOneLine,
  otherPackages,
  type RefusalCode,
  SEVERITIES,
  type Severity,
  unsignedText,
  waitText,
} from '@portcullis/domain';
import type { DecidedPull } from './manifest-decision.ts';

const MOST_NAMED = 3;

export function refusalLine(code: RefusalCode, { judged }: Pick<DecidedPull, 'judged'>): string {
  return oneLine(`blocked by policy "${judged.policy.name}": ${reasonOf(code, judged.subject)}`);
}

function reasonOf(code: RefusalCode, subject: JudgedSubject): string {
  const blocking = subject.kind === 'image' ? (subject.standing?.blocking ?? []) : [];
  return {
    VULN_BLOCKED: () => vulnerabilities(blocking),
    SCAN_REQUIRED: () => scanLacking(subject),
    SCAN_FAILED: () => SCAN_FAILED,
    DATABASE_TOO_OLD: () => 'the vulnerability database behind its report is too old',
    ARTIFACT_BLOCKED: () => 'artifacts that are no container images are not allowed',
    SIGNATURE_MISSING: () => (subject.kind === 'image' ? unsignedText(subject.signed) : ''),
    SIGNATURES_NOT_VERIFIED: () => NOT_VERIFIED_TEXT,
    TOO_YOUNG: () => tooYoung(subject.kind === 'image' ? subject.waitsUntil : null),
  }[code]();
}

const SCAN_FAILED = 'the scan of the image failed';

function scanLacking(subject: JudgedSubject): string {
  if (subject.kind === 'image' && subject.lastScanFailed) return SCAN_FAILED;
  if (subject.kind === 'image' && subject.standing === null) return 'the image was not scanned yet';
  return 'the scanner could not cover all of the image';
}

/** @param until null where the image waits no more, since it was decided */
export function tooYoung(until: Date | null): string {
  return `the image is too new here${until === null ? '' : ` and ${waitText(until)}`}`;
}

export function vulnerabilities(blocking: readonly MatchedFinding[]): string {
  const found = byVulnerability(blocking);
  const named = found.slice(0, MOST_NAMED).map(nameOf);
  const more = found.length > MOST_NAMED ? '; …' : '';
  return `${countedWords(found)} (${named.join('; ')}${more})`;
}

function nameOf(found: JudgedVulnerability<MatchedFinding>): string {
  const { id, package: name, installedVersion, fixedVersion } = found.first.finding;
  const fix = fixedVersion === null ? 'no fix yet' : `fixed in ${fixedVersion}`;
  return `${id} in ${name} ${installedVersion}${others(otherPackages(found))}, ${fix}`;
}

function others(names: readonly string[]): string {
  const [name] = names;
  if (name === undefined) return '';
  return names.length === 1 ? ` and ${name}` : ` and ${names.length} more packages`;
}

function countedWords(found: readonly { severity: Severity }[]): string {
  const counts = countBySeverity(found);
  return SEVERITIES.filter((severity) => counts[severity] > 0)
    .map((severity) => `${counts[severity]} ${severity.toLowerCase()}`)
    .join(', ');
}

/** Package names and versions come from the image. */
export function oneLine(text: string): string {
  return onOneLine(text).slice(0, 1_000);
}
