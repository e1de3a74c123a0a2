/** A standing in English, for commands, messages and logs. The page has other words. */
import { SEVERITIES, type SeverityCounts } from '../policy/vulnerability.ts';
import { waitText } from './cooldown.ts';
import type { StandingCaveat } from './destination-standing.ts';
import type { SaidStanding } from './event-standing.ts';

/** `blocked · 35 vulnerabilities, 20 of them with a fix`. */
export function standingText(standing: SaidStanding): string {
  return {
    passes: () => passesText(standing),
    blocked: () => blockedText(standing),
    allowed: () => `allowed until ${dayOf(standing.until)}${byText(standing)}`,
    bypassed: () => `bypassed${byText(standing)}, although blocked`,
    waits: () => `waits for the ${standing.waitsFor ?? 'scan'}`,
  }[standing.state]();
}

const CAVEATS: Record<StandingCaveat, string> = {
  not_scanned: 'not scanned',
  not_covered: 'not fully scannable',
  scan_failed: 'the scan failed',
  artifact: 'no container image',
};

function passesText({ caveat, found }: SaidStanding): string {
  const counts = found === null ? '' : severitiesText(found);
  return ['passes', caveat === null ? '' : CAVEATS[caveat], counts].filter(Boolean).join(' · ');
}

/** An image that is too young is not blocked for good. */
function blockedText(standing: SaidStanding): string {
  const { code, until } = standing;
  if (code === 'TOO_YOUNG' && until !== null) return waitText(new Date(until));
  return ['blocked', causeOf(standing)].filter(Boolean).join(' · ');
}

/** In place of codes that say too little. */
const CAUSES: Partial<Record<string, string>> = {
  SIGNATURE_MISSING: 'not signed as the policy asks',
  SIGNATURES_NOT_VERIFIED: 'its signatures are not verified yet',
};

function causeOf({ code, blockingTotal: blocking, fixableTotal: fixable }: SaidStanding): string {
  if (code !== 'VULN_BLOCKED' || blocking === 0) return CAUSES[code ?? ''] ?? code ?? '';
  const count = blocking === 1 ? '1 vulnerability' : `${blocking} vulnerabilities`;
  if (fixable === 0) return `${count}, without a fix`;
  return fixable === blocking ? `${count} with a fix` : `${count}, ${fixable} of them with a fix`;
}

function byText({ by }: SaidStanding): string {
  return by.length === 0 ? '' : ` by ${by.join(', ')}`;
}

function dayOf(until: SaidStanding['until']): string {
  const text = until instanceof Date ? until.toISOString() : (until ?? '');
  return text.slice(0, 'YYYY-MM-DD'.length);
}

/** `2 critical, 1 low`; empty where nothing was found. */
function severitiesText(counts: SeverityCounts): string {
  return SEVERITIES.filter((severity) => counts[severity] > 0)
    .map((severity) => `${counts[severity]} ${severity.toLowerCase()}`)
    .join(', ');
}
