/** By which waivers a push passed the gate. */
import { Anchor } from '@mantine/core';
import type { PushView } from '@portcullis/contract';
import { Fragment } from 'react';
import { Link } from 'react-router';
import { useWords } from '../../i18n/messages.ts';
import { useAllowedText } from './waiver-words.ts';

const MOST_NAMED = 3;

export function PassedWaivers({ waivers }: Pick<PushView, 'waivers'>) {
  const [t, format] = useWords('waiverWords');
  const allowed = useAllowedText();
  // Waivers that the same accounts approved until the same day are one sentence.
  const groups = Map.groupBy(waivers, allowed);
  return [...groups].map(([sentence, same]) => (
    <div key={sentence}>
      {sentence}
      {format.colon}
      {same.slice(0, MOST_NAMED).map(({ id, vulnerability }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <Anchor component={Link} to={`/waivers?state=all&open=${id}`} inherit underline="always">
            {vulnerability}
          </Anchor>
        </Fragment>
      ))}
      {same.length > MOST_NAMED && ` ${t.more(same.length - MOST_NAMED)}`}
    </div>
  ));
}
