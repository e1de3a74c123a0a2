import { Alert, Stack } from '@mantine/core';
import type { ScannerState, ScanPolicy } from '@portcullis/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ask, call } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { SaveBar } from '../../../kit/form/save-bar.tsx';
import { useDraftForm } from '../../../kit/form/use-draft-form.ts';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { SettingSource } from '../setting-source.tsx';
import { PolicyFields } from './policy-fields.tsx';
import { PolicySentence } from './policy-sentence.tsx';

export function Component() {
  const t = useMessages('scan');
  const state = useQuery(ask('trivy.state'));
  return (
    <>
      <PageHead title={t.title} description={t.lead} />
      <QueryView query={state} rows={1} rowHeight={360}>
        {(scanner) => (
          <Stack maw={720}>
            <ScannerNote {...scanner} />
            <PolicyForm stored={scanner.policy} scannable={scanner.enabled} />
          </Stack>
        )}
      </QueryView>
    </>
  );
}

function ScannerNote({ enabled, available }: ScannerState) {
  const t = useMessages('scan');
  if (enabled && available) return null;
  return (
    <Alert color="gray" variant="light">
      {enabled ? t.unavailable : t.disabled}
    </Alert>
  );
}

const STATE = ['trivy.state'];

function PolicyForm({ stored, scannable }: { stored: ScanPolicy; scannable: boolean }) {
  const t = useMessages('scan');
  const queries = useQueryClient();
  const form = useDraftForm(stored, {
    operation: 'trivy.setOverride',
    send: async ({ source: _, ...body }) => {
      await call('trivy.setOverride', { body });
      await queries.invalidateQueries({ queryKey: STATE });
    },
    saved: t.saved,
  });
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Panel
        title={t.gate}
        description={<PolicySentence policy={form.fields.value} />}
        actions={
          <SettingSource
            source={stored.source}
            reset={() => call('trivy.resetOverride')}
            queryKey={STATE}
          />
        }
      >
        <PolicyFields {...form.fields} scannable={scannable} />
      </Panel>
      <SaveBar inFlow {...form.bar} />
    </form>
  );
}
