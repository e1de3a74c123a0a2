/** The CVSS score of a vulnerability, and the probability that it is exploited. */
import { useMessages, useWords } from '../../i18n/messages.ts';

interface ScoresProps {
  cvss: number | null;
  epss: number | null;
}

export function Scores({ cvss, epss }: ScoresProps) {
  const [t, format] = useWords('findings');
  const threat = useMessages('vulnerabilities');
  return (
    <>
      {cvss !== null && <span>{t.score(format.score(cvss))}</span>}
      {epss !== null && (
        <span title={threat.epssHint}>{threat.epss(format.probability(epss))}</span>
      )}
    </>
  );
}
