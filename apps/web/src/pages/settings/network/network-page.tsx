import { Stack } from '@mantine/core';
import type { NetworkConfig } from '@portcullis/contract';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { useDeliveries } from './delivery.ts';
import { EmailFields } from './email-fields.tsx';
import { NetworkSection } from './network-section.tsx';
import { ProxyFields } from './proxy-fields.tsx';
import { SyslogFields } from './syslog-fields.tsx';

export function Component() {
  const t = useMessages('network');
  const config = useQuery(ask('network.config'));
  return (
    <>
      <PageHead title={t.title} description={t.lead} />
      <QueryView query={config} rows={3} rowHeight={200}>
        {(all) => <Sections config={all} />}
      </QueryView>
    </>
  );
}

function Sections({ config }: { config: NetworkConfig }) {
  const { syslog, email } = useDeliveries();
  return (
    <Stack maw={820}>
      <NetworkSection
        section="email"
        stored={config.email}
        deliveries={email}
        isOn={config.email.enabled}
      >
        {(fields) => <EmailFields {...fields} />}
      </NetworkSection>
      <NetworkSection
        section="syslog"
        stored={config.syslog}
        deliveries={syslog}
        isOn={config.syslog.syslog_enabled}
      >
        {(fields) => <SyslogFields {...fields} />}
      </NetworkSection>
      <NetworkSection section="proxy" stored={config.proxy} deliveries={[]} isOn>
        {(fields) => <ProxyFields {...fields} />}
      </NetworkSection>
    </Stack>
  );
}
