/** The preview of a waiver: the images and findings of today that it covers. */
import { Text, Title } from '@mantine/core';
import type { WaiverCoverage as Coverage, Waiver } from '@portcullis/contract';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/api.ts';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import { QueryView } from '../../kit/layout/query-view.tsx';
import classes from './waivers.module.css';

const MOST_SHOWN = 20;

export function WaiverCoverage({ waiver }: { waiver: Waiver }) {
  const t = useMessages('waivers');
  const coverage = useQuery(ask('waivers.covered', { params: { id: waiver.id } }));
  return (
    <section>
      <Title order={3} size="h4">
        {waiver.in_force ? t.covers : t.wouldCover}
      </Title>
      <QueryView query={coverage} rows={2} rowHeight={44}>
        {(covered) => <Covered {...covered} />}
      </QueryView>
    </section>
  );
}

function Covered({ images, findings, items }: Coverage) {
  const t = useMessages('waivers');
  const format = useFormat();
  if (findings === 0)
    return (
      <Text size="sm" c="dimmed">
        {t.coversNothing}
      </Text>
    );
  const shown = items.slice(0, MOST_SHOWN);
  return (
    <>
      <Text size="sm" c="dimmed">
        {t.coverage(images, findings)}
      </Text>
      <ul className={classes.covered}>
        {shown.map((each) => (
          <li key={[each.repository, each.digest, each.package, each.installed_version].join(' ')}>
            <b>{each.repository}</b> {each.tags.join(', ')}
            <br />
            {each.package} {each.installed_version}
            {format.colon}
            {each.fixed_version === null ? t.noFix : t.fixedIn(each.fixed_version)}
          </li>
        ))}
        {findings > shown.length && <li>{t.coveredMore(findings - shown.length)}</li>}
      </ul>
    </>
  );
}
