/** Chooses which notifications an account gets, and how. */
import { Checkbox, VisuallyHidden } from '@mantine/core';
import type { NotificationSetting } from '@portcullis/contract';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { useAccount } from '../../../session/account.ts';
import classes from './notifications.module.css';

type Kind = NotificationSetting['kind'];
type Way = 'page' | 'mail';

const GROUPS = {
  jobs: ['job.blocked', 'job.pushed', 'job.failed', 'transfer.finished'],
  images: ['image.blocked', 'image.cleared', 'vulnerability.appeared'],
  reviews: ['review.waiting', 'review.decided', 'review.commented'],
  waivers: ['waiver.waiting', 'waiver.decided', 'waiver.ending'],
} as const satisfies Record<string, readonly Kind[]>;

interface NotificationTableProps {
  choices: readonly NotificationSetting[];
  /** Whether mails of the account are sent. */
  isMailed: boolean;
  onChoose(choice: NotificationSetting): void;
}

export function NotificationTable({ choices, isMailed, onChoose }: NotificationTableProps) {
  const t = useMessages('notificationChoices');
  const { is_admin: isAdmin, can_bypass_vuln_block: reviews } = useAccount();
  const isShown = ({ kind }: NotificationSetting) =>
    (kind !== 'waiver.waiting' && kind !== 'review.waiting') || isAdmin || reviews;
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t.what}</th>
          <th scope="col" className={classes.way}>
            {t.ways.page}
          </th>
          <th scope="col" className={classes.way}>
            {t.ways.mail}
          </th>
        </tr>
      </thead>
      {(['jobs', 'images', 'reviews', 'waivers'] as const).map((group) => (
        <tbody key={group}>
          <tr>
            <th scope="rowgroup" colSpan={3} className={classes.group}>
              {t.groups[group]}
            </th>
          </tr>
          {choices
            .filter((each) => GROUPS[group].some((kind) => kind === each.kind) && isShown(each))
            .map((each) => (
              <Row key={each.kind} choice={each} isMailed={isMailed} onChoose={onChoose} />
            ))}
        </tbody>
      ))}
    </table>
  );
}

interface RowProps extends Pick<NotificationTableProps, 'isMailed' | 'onChoose'> {
  choice: NotificationSetting;
}

function Row({ choice, isMailed, onChoose }: RowProps) {
  const [t, format] = useWords('notificationChoices');
  const title = t.kinds[choice.kind];
  return (
    <tr>
      <th scope="row">{title}</th>
      {(['page', 'mail'] as const).map((way) => (
        <td key={way} className={classes.way}>
          <Choice
            label={`${title}${format.colon}${t.ways[way]}`}
            chosen={choice[way]}
            disabled={way === 'mail' && !isMailed}
            onChange={(chosen) => onChoose(withWay(choice, way, chosen))}
          />
        </td>
      ))}
    </tr>
  );
}

function withWay(choice: NotificationSetting, way: Way, chosen: boolean): NotificationSetting {
  return { ...choice, [way]: chosen };
}

interface ChoiceProps {
  label: string;
  chosen: boolean | null;
  disabled: boolean;
  onChange(chosen: boolean): void;
}

function Choice({ label, chosen, disabled, onChange }: ChoiceProps) {
  const t = useMessages('notificationChoices');
  if (chosen === null)
    return (
      <span className={classes.never}>
        <span aria-hidden="true">–</span>
        <VisuallyHidden>{t.never}</VisuallyHidden>
      </span>
    );
  return (
    <Checkbox
      size="md"
      className={classes.box ?? ''}
      aria-label={label}
      checked={chosen}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
