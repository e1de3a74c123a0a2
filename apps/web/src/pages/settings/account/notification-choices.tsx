/** Where the account receives each kind of notification. */
import type { NotificationSetting } from '@portcullis/contract';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { ask } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { MailNotice } from './mail-notice.tsx';
import { NotificationTable } from './notification-table.tsx';
import classes from './notifications.module.css';
import { useNotificationChoices } from './use-notification-choices.ts';

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
  const mail = useQuery(ask('notifications.getNotificationMail'));
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
