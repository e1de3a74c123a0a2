import { Button, Group } from '@mantine/core';
import type { NetworkConfig } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { call, keyOf } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { Badge } from '../../../components/badge.tsx';
import { Confirm } from '../../../components/confirm.tsx';
import { useNotices } from '../../../components/notices.ts';
import { Panel } from '../../../components/panel.tsx';
import { SaveBar } from '../../../components/save-bar.tsx';
import { useDraft } from '../draft.ts';
import type { DeliveryTry } from './delivery.ts';
import { DeliveryTests } from './delivery-tests.tsx';
import { useNetworkWords } from './network-words.ts';

type Section = keyof NetworkConfig;

/** What the fields of a section are given. */
export interface SectionFields<S extends Section> {
  value: NetworkConfig[S];
  set(change: Partial<NetworkConfig[S]>): void;
  faults: Readonly<Record<string, string>>;
}

interface NetworkSectionProps<S extends Section> {
  section: S;
  stored: NetworkConfig[S];
  deliveries: DeliveryTry[];
  /** As it is in force. */
  isOn: boolean;
  children(fields: SectionFields<S>): ReactNode;
}

export function NetworkSection<S extends Section>(props: NetworkSectionProps<S>) {
  const { section, stored, deliveries, isOn, children } = props;
  const t = useNetworkWords();
  const draft = useDraft<NetworkConfig[S]>(stored);
  const save = useSave(section, draft.discard);
  const faults = isProblem(save.error) ? save.error.fields : {};

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (draft.dirty) save.mutate(draft.changes);
  }

  return (
    <form onSubmit={submit} autoComplete="off" noValidate>
      <Panel
        title={t.sections[section]}
        description={t.sectionLeads[section]}
        actions={<Source section={section} source={stored.source} />}
      >
        {children({ value: draft.value, set: draft.set, faults })}
        <SaveBar
          dirty={draft.dirty}
          pending={save.isPending}
          error={save.error}
          onDiscard={() => {
            save.reset();
            draft.discard();
          }}
        />
        {deliveries.length > 0 && (
          <DeliveryTests deliveries={deliveries} why={draft.dirty ? t.testFirst : isOn ? null : t.testOff} />
        )}
      </Panel>
    </form>
  );
}

function useSave<S extends Section>(section: S, onDone: () => void) {
  const t = useNetworkWords();
  const notices = useNotices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Partial<NetworkConfig[S]>) => SAVE[section](body),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keyOf('network.config') });
      onDone();
      notices.done(t.saved);
    },
  });
}

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

function Source({ section, source }: { section: Section; source: 'env' | 'override' }) {
  const t = useNetworkWords();
  const notices = useNotices();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const reset = useMutation({
    mutationFn: RESET[section],
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keyOf('network.config') });
      setAsking(false);
      notices.done(t.wasReset);
    },
  });
  if (source === 'env') return <Badge tone="unknown">{t.fromEnv}</Badge>;
  return (
    <Group gap="xs">
      <Badge tone="wait">{t.override}</Badge>
      <Button variant="default" size="xs" onClick={() => setAsking(true)}>
        {t.reset}
      </Button>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={t.resetTitle}
        action={t.reset}
        pending={reset.isPending}
        error={reset.error}
        onConfirm={() => reset.mutate()}
      >
        {t.resetText}
      </Confirm>
    </Group>
  );
}
