/** Why a tag is blocked, or by whose word it is not, in one line under its verdict. */
import type { ImageTag } from '@portcullis/contract';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import table from '../../../kit/table/table.module.css';

export function TagReason({ standing }: Pick<ImageTag, 'standing'>) {
  const t = useMessages('standing');
  const format = useFormat();
  if (standing === null) return null;
  const { blocking: findings, blocking_total: total, waived_until: until } = standing;
  if (total > 0) {
    const named = findings
      .slice(0, 1)
      .map(({ vulnerability, package: name }) => t.finding(vulnerability, name));
    const more = total - named.length;
    const what = named.join(', ');
    return (
      <span className={table.under}>
        {t.because(more > 0 ? t.andMore(what, format.number(more)) : what)}
      </span>
    );
  }
  if (until === null) return null;
  return <span className={table.under}>{t.waivedUntil(format.date(until))}</span>;
}
