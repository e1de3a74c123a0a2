/** Where mails of the account go, or why none are sent. */
import { Anchor } from '@mantine/core';
import type { NotificationMail } from '@portcullis/contract';
import { Link } from 'react-router';
import { useMessages } from '../../../i18n/messages.ts';
import { useAccount } from '../../../session/account.ts';
import classes from './notifications.module.css';

export function MailNotice({ enabled, address }: NotificationMail) {
  const t = useMessages('notificationChoices');
  const { username, is_admin: isAdmin } = useAccount();
  if (enabled && address !== null) return <p className={classes.notice}>{t.mailedTo(address)}</p>;
  const [text, ask, act, to] = enabled
    ? [t.noAddress, t.askForAddress, t.addAddress, `/settings/users?${usersNamed(username)}`]
    : [t.noMail, t.askForMail, t.setUpMail, '/settings/network'];
  return (
    <p className={classes.notice}>
      {text}{' '}
      {isAdmin ? (
        <Anchor component={Link} to={to} underline="always" inherit>
          {act}
        </Anchor>
      ) : (
        ask
      )}
    </p>
  );
}

const usersNamed = (username: string) => new URLSearchParams({ q: username });
