/** What a review request asks to accept, in English sentences: of messages and of `pcs`. */
import { waitText } from '../standing/cooldown.ts';

interface Asked {
  /** How many vulnerabilities. */
  findings: number;
  /** When the image passes by itself; null where its age is not asked for. */
  waitsUntil: Date | null;
  /** The authorities whose signatures it lacks; null where those are not asked for. */
  missingSignatures: readonly string[] | null;
}

/** As `2 vulnerabilities, the age (it waits until … otherwise) and missing signatures of qa`. */
export function requestText({ findings, waitsUntil, missingSignatures }: Asked): string {
  const found = `${findings} ${findings === 1 ? 'vulnerability' : 'vulnerabilities'}`;
  const beside = [
    ...(waitsUntil ? [`the age (it ${waitText(waitsUntil)} otherwise)`] : []),
    ...(missingSignatures ? [`missing signatures of ${ALL.format(missingSignatures)}`] : []),
  ];
  return ALL.format(findings > 0 || beside.length === 0 ? [found, ...beside] : beside);
}

const ALL = new Intl.ListFormat('en-GB');
