import { Tooltip } from '@mantine/core';
import { useMessages } from '../../i18n/messages.ts';
import { useFeedState } from '../../live/live-jobs.ts';
import classes from './staging.module.css';

/** Shows whether the page receives live updates. */
export function FeedBadge() {
  const t = useMessages('staging');
  const state = useFeedState();
  return (
    <Tooltip label={t.feed[state]} disabled={state === 'live'}>
      <span className={classes.feed} data-state={state} role="status">
        {t.feed[state === 'polling' ? 'polling' : state]}
      </span>
    </Tooltip>
  );
}
