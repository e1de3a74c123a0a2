/** Shows folders of staging that belong to no job, and removes them. */
import { Button, Group, Text } from '@mantine/core';
import type { Orphans } from '@portcullis/contract';
import { useState } from 'react';
import { call, keyOf, useAnswer } from '../../api/api.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { ConfirmedAct } from '../../kit/action/confirmed-act.tsx';
import { Panel } from '../../kit/layout/panel.tsx';
import { QueryView } from '../../kit/layout/query-view.tsx';
import { Dimmed } from '../../kit/text/dimmed.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import classes from './system.module.css';

export function OrphansPanel() {
  const t = useMessages('system');
  const [isConfirming, setConfirming] = useState(false);
  const orphans = useAnswer('maintenance.listOrphans');
  const removable = orphans.data?.items.filter((each) => each.removable) ?? [];
  return (
    <Panel
      title={t.orphans}
      description={t.orphansLead}
      actions={
        removable.length > 0 && (
          <Button variant="default" onClick={() => setConfirming(true)}>
            {t.removeOrphans}
          </Button>
        )
      }
    >
      <QueryView query={orphans} rows={1}>
        {(all) => <OrphanList {...all} />}
      </QueryView>
      <Removal opened={isConfirming} onClose={() => setConfirming(false)} items={removable} />
    </Panel>
  );
}

function OrphanList({ items, total_size, complete }: Orphans) {
  const [t, format] = useWords('system');
  if (items.length === 0) return <Text c="dimmed">{t.noOrphans}</Text>;
  return (
    <>
      <Text fw={550}>
        {t.orphanSum(items.length, format.bytes(total_size))} {!complete && t.more}
      </Text>
      <ul className={classes.orphans}>
        {items.slice(0, 50).map(({ job_id, size, modified_at, removable }) => (
          <Group component="li" justify="space-between" gap="2px 12px" key={job_id}>
            <code>{job_id}</code>
            <Dimmed span>
              {format.bytes(size)} · <RelativeTime at={modified_at} />
              {!removable && ` · ${t.young}`}
            </Dimmed>
          </Group>
        ))}
      </ul>
    </>
  );
}

interface RemovalProps {
  opened: boolean;
  onClose(): void;
  items: Orphans['items'];
}

function Removal({ items, ...dialog }: RemovalProps) {
  const [t, format] = useWords('system');
  const bytes = items.reduce((sum, { size }) => sum + size, 0);
  return (
    <ConfirmedAct
      {...dialog}
      title={t.removeTitle}
      action={t.removeAction}
      run={() => call('maintenance.removeOrphans')}
      done={({ removing }) => t.removing(removing.length)}
      lists={[keyOf('maintenance.listOrphans')]}
    >
      {t.removeText(items.length, format.bytes(bytes))}
    </ConfirmedAct>
  );
}
