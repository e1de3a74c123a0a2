/** Where the account receives each kind of notification. */

import { Anchor } from '@mantine/core';
import type { NotificationMail, NotificationSetting } from '@portcullis/contract';
import { IconCheck } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { ask, call, useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { useAccount } from '../../../session/account.ts';
import { NotificationTable } from './notification-table.tsx';
import classes from './notifications.module.css';

export function NotificationChoices() {
  const t = useMessages('notificationChoices');
  const { choices, save } = useNotificationChoices();
  const place = usePlace(choices.isSuccess);
  return (
    <div id="notifications" ref={place} tabIndex={-1} className={classes.place}>
      <Panel
        title={t.title}
        description={t.lead}
        actions={
          <span role="status" className={classes.saved}>
            {save.isSuccess && (
              <>
                <IconCheck size={14} aria-hidden="true" /> {t.saved}
              </>
            )}
          </span>
        }
        flush
      >
        <div className={classes.fault}>
          <FaultAlert error={save.error} />
        </div>
        <QueryView query={choices} rows={10} rowHeight={36}>
          {(all) => <Choices choices={all} onChoose={(choice) => save.mutate(choice)} />}
        </QueryView>
      </Panel>
    </div>
  );
}

interface ChoicesProps {
  choices: readonly NotificationSetting[];
  onChoose(choice: NotificationSetting): void;
}

function Choices({ choices, onChoose }: ChoicesProps) {
  const mail = useAnswer('notifications.getNotificationMail');
  const isMailed = mail.data?.enabled === true && mail.data.address !== null;
  return (
    <>
      {mail.data && <MailNotice {...mail.data} />}
      <NotificationTable choices={choices} isMailed={isMailed} onChoose={onChoose} />
    </>
  );
}

/** A link with `#notifications` leads to the panel, once it has its height. */
function usePlace(isReady: boolean) {
  const place = useRef<HTMLDivElement>(null);
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link may be followed again
  useEffect(() => {
    if (isReady && hash === '#notifications') place.current?.focus();
  }, [isReady, hash, key]);
  return place;
}

/** Where mails of the account go, or why none are sent. */
function MailNotice({ enabled, address }: NotificationMail) {
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

const CHOICES = ask('notifications.getNotificationSettings');
const SAVING = ['notifications.putNotificationSettings'];

/** Where the account receives each kind of notification. A change is saved at once. */
function useNotificationChoices() {
  const queries = useQueryClient();
  const choices = useQuery(CHOICES);
  const save = useMutation({
    mutationKey: SAVING,
    // One after the other, so that the last choice of a kind stays.
    scope: { id: 'notification choices' },
    mutationFn: ({ kind, page, mail }: NotificationSetting) =>
      call('notifications.putNotificationSettings', {
        body: { settings: [{ kind, page: page ?? false, mail: mail ?? false }] },
      }),
    async onMutate(chosen) {
      await queries.cancelQueries(CHOICES);
      queries.setQueryData(CHOICES.queryKey, (known) =>
        known?.map((each) => (each.kind === chosen.kind ? chosen : each)),
      );
    },
    async onSettled() {
      if (queries.isMutating({ mutationKey: SAVING }) === 1)
        await queries.invalidateQueries(CHOICES);
    },
  });
  return { choices, save };
}
