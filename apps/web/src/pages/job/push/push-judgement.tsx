/** The judgement of the destination's policy: what blocks the image, or which waivers allow it. */
import { Text } from '@mantine/core';
import type { PushGateDecision } from '@portcullis/contract';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import classes from './push.module.css';

const MOST_NAMED = 3;

export function PushJudgement({ decision }: { decision: PushGateDecision }) {
  const t = useMessages('push');
  const format = useFormat();
  const { policy, blocking, blocking_total: total, waived_total: waived, valid_until } = decision;
  const named = blocking.slice(0, MOST_NAMED);
  return (
    <>
      <Text size="sm">{policy.id === null ? t.byDefaultPolicy : t.byPolicy(policy.name)}</Text>
      {named.length > 0 && (
        <ul className={classes.findings}>
          {named.map((finding) => (
            <li key={`${finding.vulnerability} ${finding.package} ${finding.installed_version}`}>
              <code>{finding.vulnerability}</code> {finding.package} {finding.installed_version}
              {format.colon}
              {finding.fixed_version === null ? t.noFix : t.fixedIn(finding.fixed_version)}
            </li>
          ))}
          {total > named.length && <li>{t.moreFindings(format.number(total - named.length))}</li>}
        </ul>
      )}
      {total === 0 && waived > 0 && valid_until !== null && (
        <Text size="sm">{t.waived(format.dateTime(valid_until))}</Text>
      )}
    </>
  );
}
