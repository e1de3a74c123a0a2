/** Says which repositories were not deleted, or not with all their tags, and why. */
import { notifications } from '@mantine/notifications';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import classes from './removal.module.css';
import type { KeptRepository, RemovalResult } from './removal-result.ts';

/** Others are counted by their reason. */
const MOST_NAMED = 8;

/** Nothing where all were deleted: the list shows it. */
export function useRemovalNotice(): (result: RemovalResult) => void {
  const t = useMessages('bulk');
  return ({ done, left, kept }) => {
    if (left === 0) return;
    notifications.show({
      title: t.partly(done, left),
      color: 'red',
      autoClose: 20_000,
      role: 'alert',
      message: <Reasons kept={kept} />,
    });
  };
}

function Reasons({ kept }: { kept: readonly KeptRepository[] }) {
  const t = useMessages('images');
  const { colon } = useFormat();
  const { codes } = useMessages('fault');
  const others = Map.groupBy(kept.slice(MOST_NAMED), ({ code }) => code);
  return (
    <ul className={classes.reasons}>
      {kept.slice(0, MOST_NAMED).map(({ name, tags, code }) => (
        <li key={`${name} ${code}`}>
          <b>{name}</b>
          {tags !== null && ` (${t.removal.tagsKept(tags)})`}
          {colon}
          {codes[code] ?? code}
        </li>
      ))}
      {[...others].map(([code, { length }]) => (
        <li key={code}>
          {length}
          {colon}
          {codes[code] ?? code}
        </li>
      ))}
    </ul>
  );
}
