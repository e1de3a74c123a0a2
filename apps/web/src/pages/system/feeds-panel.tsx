import { Text } from '@mantine/core';
import type { ThreatFeedView } from '@portcullis/contract';
import { useAnswer } from '../../api/api.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { JobFault } from '../../kit/fault/job-fault.tsx';
import { FactList, Panel } from '../../kit/layout/panel.tsx';
import { QueryView } from '../../kit/layout/query-view.tsx';
import classes from './system.module.css';

/** What the api calls a feed that was taken from a file. */
const IMPORTED = 'import';
/** And of one that the workers do not read. */
const OFF = 'off';

export function FeedsPanel() {
  const t = useMessages('system');
  const feeds = useAnswer('maintenance.listFeeds');
  return (
    <Panel title={t.feeds} description={t.feedsLead}>
      <QueryView query={feeds} rows={2}>
        {(all) => (
          <FactList
            facts={all.map((feed) => [
              t.feedNames[feed.kind],
              <FeedFacts key={feed.kind} {...feed} />,
            ])}
          />
        )}
      </QueryView>
    </Panel>
  );
}

function FeedFacts({ version, entries, age_s, stale, source, error }: ThreatFeedView) {
  const [t, format] = useWords('system');
  return (
    <>
      {version === null || age_s === null ? (
        source === OFF ? (
          t.feedOff
        ) : (
          t.feedMissing
        )
      ) : (
        <>
          <Text size="sm">
            {t.feedVersion(version, entries)} · {t.feedAge(format.duration(age_s))}
          </Text>
          <div className={classes.detail}>{source === IMPORTED ? t.feedImported : source}</div>
          {stale && <Text size="sm">{t.feedStale}</Text>}
        </>
      )}
      {error && (
        <>
          <div className={classes.detail}>{t.feedFailed(format.dateTime(error.at))}</div>
          <JobFault fault={error} />
        </>
      )}
    </>
  );
}
