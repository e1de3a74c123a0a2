/**
 * Why a tag is blocked and who bypassed the gate, or which waivers allow it, since when, under its
 * verdict.
 */
import type { ImageTag, TagStanding } from '@portcullis/contract';
import { useWords } from '../../../i18n/messages.ts';
import table from '../../../kit/table/table.module.css';

type Judged = Pick<ImageTag, 'bypassed'> & { standing: TagStanding };

export function TagReason({ tag: { standing, bypassed } }: { tag: ImageTag }) {
  // Without a scan the verdict says everything.
  if (standing === null || standing.passes === null) return null;
  return <Sentences standing={standing} bypassed={bypassed} />;
}

function Sentences({ standing, bypassed }: Judged) {
  const [t, format] = useWords('standing');
  const { passes, since, waived_until: waived, grace_until: grace } = standing;
  const reasons = [
    useCause(standing),
    passes && waived !== null && t.waivedUntil(format.date(waived)),
  ];
  const dates = [
    since !== null && (passes ? t.allowedSince : t.blockedAlready)(format.date(since)),
    grace !== null && t.servedUntil(format.date(grace)),
  ];
  const privilege = [!passes && bypassed !== null && t.bypassedBy(bypassed.by)];
  return [reasons, dates, privilege].map((line) => {
    const shown = line.filter((text) => typeof text === 'string').join(' · ');
    return (
      shown !== '' && (
        <span key={shown} className={table.under}>
          {shown}
        </span>
      )
    );
  });
}

function useCause({ code, blocking, blocking_total: total }: TagStanding): string | null {
  const [t, format] = useWords('standing');
  const [first] = blocking;
  if (code === null) return null;
  if (code !== 'VULN_BLOCKED' || !first) return t.codes[code];
  const what = t.finding(first.vulnerability, first.package);
  return t.because(total > 1 ? t.andMore(what, format.number(total - 1)) : what);
}
