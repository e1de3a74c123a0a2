import { Tooltip } from '@mantine/core';
import { useFeedState } from '../../live/live-jobs.ts';
import classes from './staging.module.css';
import { useStagingWords } from './staging-words.ts';

/** Whether what is shown is what is. */
export function FeedBadge() {
  const t = useStagingWords();
  const state = useFeedState();
  return (
    <Tooltip label={t.feed[state]} disabled={state === 'live'}>
      <span className={classes.feed} data-state={state} role="status">
        {t.feed[state === 'polling' ? 'polling' : state]}
      </span>
    </Tooltip>
  );
}
