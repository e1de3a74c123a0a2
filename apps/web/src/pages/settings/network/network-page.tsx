/** Changes the settings of proxy, syslog and e-mail. */
import { Stack, TextInput } from '@mantine/core';
import type { NetworkConfig } from '@portcullis/contract';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call, keyOf, useAnswer } from '../../../api/api.ts';
import type { OperationName } from '../../../api/client.ts';
import { useMessages } from '../../../i18n/messages.ts';
import type { Fields } from '../../../kit/form/fields.ts';
import { SaveBar } from '../../../kit/form/save-bar.tsx';
import { useDraftForm } from '../../../kit/form/use-draft-form.ts';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { SettingSource } from '../setting-source.tsx';
import { type DeliveryTry, useDeliveries } from './delivery.ts';
import { DeliveryTests } from './delivery-tests.tsx';
import { EmailFields } from './email-fields.tsx';
import classes from './network.module.css';
import { SyslogFields } from './syslog-fields.tsx';

export function Component() {
  const t = useMessages('network');
  const config = useAnswer('network.config');
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

const HALF = { className: classes.half ?? '' };

function ProxyFields({ optional }: Fields<NetworkConfig['proxy']>) {
  const t = useMessages('network');
  return (
    <div className={classes.grid}>
      <TextInput label={t.httpProxy} {...HALF} {...optional('http_proxy')} />
      <TextInput
        label={t.httpsProxy}
        description={t.proxyHint}
        {...HALF}
        {...optional('https_proxy')}
      />
      <TextInput label={t.noProxy} description={t.noProxyHint} {...optional('no_proxy')} />
    </div>
  );
}

type Section = keyof NetworkConfig;

interface NetworkSectionProps<S extends Section> {
  section: S;
  stored: NetworkConfig[S];
  deliveries: DeliveryTry[];
  /** The saved value. */
  isOn: boolean;
  children(fields: Fields<NetworkConfig[S]>): ReactNode;
}

function NetworkSection<S extends Section>(props: NetworkSectionProps<S>) {
  const { section, stored, deliveries, isOn, children } = props;
  const t = useMessages('network');
  const queries = useQueryClient();
  const form = useDraftForm<NetworkConfig[S]>(stored, {
    operation: OPERATIONS[section],
    send: async (changes) => {
      await SAVE[section](changes);
      await queries.invalidateQueries({ queryKey: CONFIG });
    },
    saved: t.saved,
  });
  const { dirty } = form.bar;
  return (
    <form onSubmit={form.onSubmit} autoComplete="off" noValidate>
      <Panel
        title={t.sections[section]}
        description={t.sectionLeads[section]}
        actions={<SettingSource source={stored.source} reset={RESET[section]} queryKey={CONFIG} />}
      >
        {children(form.fields)}
        <SaveBar {...form.bar} />
        {deliveries.length > 0 && (
          <DeliveryTests
            deliveries={deliveries}
            why={dirty ? t.testFirst : isOn ? null : t.testOff}
          />
        )}
      </Panel>
    </form>
  );
}

const OPERATIONS = {
  proxy: 'network.setProxy',
  syslog: 'network.setSyslog',
  email: 'network.setEmail',
} as const satisfies Record<Section, OperationName>;

const CONFIG = keyOf('network.config');

const SAVE: { [S in Section]: (body: Partial<NetworkConfig[S]>) => Promise<unknown> } = {
  proxy: ({ source: _, ...body }) => call('network.setProxy', { body }),
  syslog: ({ source: _, ...body }) => call('network.setSyslog', { body }),
  email: ({ source: _, ...body }) => call('network.setEmail', { body }),
};

const RESET = {
  proxy: () => call('network.resetProxy'),
  syslog: () => call('network.resetSyslog'),
  email: () => call('network.resetEmail'),
} satisfies Record<Section, () => Promise<unknown>>;
